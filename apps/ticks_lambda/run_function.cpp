#include "run_function.hpp"

#include "bar_items.hpp"
#include "fold_ticks.hpp"
#include "function_options.hpp"

#include <weir/application.hpp>
#include <weir/dead_letter.hpp>
#include <weir/dynamodb/client.hpp>
#include <weir/dynamodb/state_store.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/lambda/use_aws_lambda.hpp>
#include <weir/log.hpp>
#include <weir/settings.hpp>

#include <exception>
#include <memory>
#include <utility>

namespace ticks {
namespace {

std::shared_ptr<weir::state_store> checkpoints_in(weir::dynamodb::client calls, std::string table) {
  weir::dynamodb::state_store_options where;
  where.table = std::move(table);
  return std::make_shared<weir::dynamodb::state_store>(std::move(calls), std::move(where));
}

// The record that fails is found as if it were to become a dead letter, and what is in front of it is done: but giving records up is for
// the event source mapping, which has a number of tries and a destination on failure.
void leave_to_mapping(weir::dead_letter const& letter) {
  throw weir::error(
      weir::errc::handler_failed, "ticks: a record fails", letter.error,
      "it comes again until the event source mapping gives it up: give that a number of retries, and a destination on failure");
}

weir::task<> fail_with(std::exception_ptr why) {
  std::rethrow_exception(std::move(why));
  co_return;
}

int run(function_options const& o, std::exception_ptr mistake) {
  weir::dynamodb::client const calls;
  weir::settings s;
  s.name = "ticks";
  s.checkpoints = checkpoints_in(calls, o.checkpoints);
  s.log = weir::logger(weir::log_level::info);
  weir::application app(std::move(s));
  weir::lambda::options how;
  if (mistake) how.on_start = [mistake] { return fail_with(mistake); };
  app.use_aws_lambda(std::move(how), [&](auto& events) {
    events.use_kinesis_stream({}, [&](auto& pipeline) {
      pipeline.use_sink("bars", bar_items(calls, o.bars))
          .on_failure(weir::failure_policy().dead_letter_to(leave_to_mapping))
          .use_stream([&o](weir::stream<weir::kinesis::record> records, weir::stream_context& context) {
            return fold_ticks(std::move(records), context, o);
          });
    });
  });
  return app.run();
}

}  // namespace

int run_function(weir::aws::variables const& from) {
  function_options o;
  std::exception_ptr mistake;
  try {
    o = read_options(from);
  } catch (...) {
    mistake = std::current_exception();
  }
  return run(o, mistake);
}

}  // namespace ticks
