#include "local_function.hpp"

#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/timeout.hpp>
#include <weir/when_any.hpp>

#include <fmt/format.h>

#include <utility>

namespace local_lambda {
namespace {

// Of the service, for the start of a function.
constexpr std::chrono::seconds most_of_start{10};

std::string name_of(std::string const& program) { return program.substr(program.rfind('/') + 1); }

// Two tasks beside each other; how the first to end ended.
weir::task<> first_of(weir::task<> a, weir::task<> b) {
  auto ends = co_await weir::when_any(std::move(a), std::move(b));
  if (ends.index == 0) std::get<0>(ends.outcomes).get();
  else std::get<1>(ends.outcomes).get();
}

}  // namespace

local_function::local_function(boost::asio::any_io_executor on, std::vector<std::string> program, std::chrono::nanoseconds timeout)
    : on_(std::move(on)), program_(std::move(program)), timeout_(timeout), server_(on_, api_) {}

void local_function::start_program() {
  server_.restart();
  process_.emplace(
      on_, program_,
      std::vector<std::string>{"AWS_LAMBDA_RUNTIME_API=" + server_.address(), "AWS_LAMBDA_FUNCTION_NAME=" + name_of(program_.front()),
                               "AWS_LAMBDA_FUNCTION_VERSION=$LATEST", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128"});
}

weir::task<> local_function::end() {
  if (!process_) co_return;
  weir::task<> ending = process_->end();
  co_await std::move(ending);
}

weir::task<invocation_report> local_function::invoke(std::string payload) {
  weir::context& own = co_await weir::current_context();
  invocation_report out;
  failure_.clear();
  weir::instant const from = own.clock().now();
  bool const fresh = !process_ || process_->has_ended();
  if (fresh) start_program();
  api_.invoke(std::move(payload), timeout_);
  server_.offer();
  weir::task<> running = run();
  co_await std::move(running);
  weir::instant const begun = api_.begun().value_or(from);
  if (fresh && api_.begun()) out.start = std::chrono::nanoseconds(begun - from);
  out.took = std::chrono::nanoseconds(own.clock().now() - begun);
  if (api_.end()) out.end = *api_.end();
  else out.end.failure = failure_;
  if (!api_.end() || api_.start_failed()) process_.reset();  // killed, as the service does
  co_return out;
}

weir::task<> local_function::run() {
  weir::task<bool> starting =
      before(first_of(server_.begun(), server_.ended()), most_of_start, "it did not ask for an invocation within 10 s");
  bool const begun = co_await std::move(starting);
  if (!begun || api_.end()) co_return;
  weir::task<bool> ending = before(server_.ended(), timeout_,
                                   fmt::format("it took longer than {} s (--timeout), and was ended", timeout_ / std::chrono::seconds(1)));
  co_await std::move(ending);
}

// False, and why it failed: the time was up, or the program ended.
weir::task<bool> local_function::before(weir::task<> what, std::chrono::nanoseconds limit, std::string late) {
  try {
    weir::task<> either = first_of(std::move(what), process_->ended());
    weir::task<> limited = weir::with_timeout(limit, std::move(either));
    co_await std::move(limited);
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::timed_out) throw;
    failure_ = std::move(late);
    co_return false;
  }
  bool const over = process_->has_ended();
  if (over) failure_ = "the program ended " + process_->how_it_ended() + " before it answered";
  co_return !over;
}

}  // namespace local_lambda
