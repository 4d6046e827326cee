#include <weir/kinesis/detail/find_consumer.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/fan_out_refusal.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/detail/list_shards.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/stream_consumer.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace weir::kinesis::detail {
namespace {

using namespace std::chrono_literals;

constexpr unsigned tries_to_register = 5;
constexpr auto longest_creation = 5min;

// Null: there is none of that name.
task<std::optional<stream_consumer>> described(std::shared_ptr<source_state> s) {
  try {
    task<stream_consumer> asking = s->service->describe_consumer(s->how.stream, s->how.consumer);
    stream_consumer found = co_await std::move(asking);
    std::optional<stream_consumer> out(std::move(found));
    co_return out;
  } catch (error const& e) {
    if (e.code() != condition::not_found) throw;
  }
  co_return std::nullopt;
}

// Null: somebody else was faster.
task<std::optional<stream_consumer>> registered(std::shared_ptr<source_state> s) {
  try {
    task<stream_consumer> asking = s->service->register_consumer(s->how.stream, s->how.consumer);
    stream_consumer made = co_await std::move(asking);
    std::optional<stream_consumer> out(std::move(made));
    co_return out;
  } catch (error const& e) {
    if (e.code() != errc::resource_in_use) throw;
  }
  co_return std::nullopt;
}

// A step towards a consumer that can be used; its ARN when it can.
task<std::string> look_once(std::shared_ptr<source_state> s, bool& registers) {
  registers = false;
  task<std::optional<stream_consumer>> looking = described(s);
  std::optional<stream_consumer> found = co_await std::move(looking);
  if (!found) {
    registers = true;
    task<std::optional<stream_consumer>> registering = registered(s);
    found = co_await std::move(registering);
  }
  if (!found || found->status != consumer_status::active) co_return std::string();
  co_return std::move(found->arn);
}

task<std::string> look(std::shared_ptr<source_state> s) {
  context const& own = co_await current_context();
  retry_policy const again = trying(s, for_ever);
  instant const begun = own.clock().now();
  unsigned failed = 0, full = 0;
  for (;;) {
    std::exception_ptr failure;
    bool registers = false;
    try {
      task<std::string> looking = look_once(s, registers);
      std::string arn = co_await std::move(looking);
      if (!arn.empty()) co_return arn;
      failed = 0;
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      e.with_stream(s->how.stream);
      if (registers && e.code() == condition::throttled && ++full == tries_to_register) {
        throw error(weir::errc::rejected, "kinesis: cannot register the consumer " + s->how.consumer, e.why(),
                    "a stream may have 20 consumers: deregister one, or name one that there is in options::consumer")
            .with_stream(s->how.stream);
      }
      failure = std::current_exception();
      log_held_up(own.log(), "looking for the consumer", ++failed, e);
    }
    if (failure) {
      std::optional<std::chrono::nanoseconds> const delay = again.after(failure, failed);
      if (!delay) std::rethrow_exception(failure);
      co_await sleep_for(*delay);
      continue;
    }
    if (own.clock().now() - begun > std::chrono::nanoseconds(longest_creation).count()) {
      throw error(weir::errc::timed_out, "kinesis: the consumer " + s->how.consumer + " is not active", "it was not for five minutes",
                  "look at it: aws kinesis describe-stream-consumer")
          .with_stream(s->how.stream);
    }
    co_await sleep_for(1s);
  }
}

// Empty: fan-out cannot be had, and it is to be polled.
task<std::string> look_until_sure(std::shared_ptr<source_state> s) {
  context const& own = co_await current_context();
  for (bool sure = false;; sure = true) {
    try {
      task<std::string> looking = look(s);
      std::string arn = co_await std::move(looking);
      co_return arn;
    } catch (error const& e) {
      if (s->how.otherwise == without_fan_out::fail || !refuses_fan_out(e.code(), false)) throw;
      if (sure) do_without_fan_out(*s, own.log(), e);
    }
    if (s->fan_out.polls) co_return std::string();
    task<std::vector<shard>> listing = listed_shards(s);
    (void)co_await std::move(listing);
  }
}

// Whoever looks, and lets the others look again at the end.
class finder {
public:
  explicit finder(std::shared_ptr<source_state> s) noexcept : s_(std::move(s)) { s_->fan_out.finding = true; }
  finder(finder const&) = delete;
  finder& operator=(finder const&) = delete;
  ~finder() {
    s_->fan_out.finding = false;
    s_->fan_out.changed.wake();
  }

private:
  std::shared_ptr<source_state> const s_;
};

}  // namespace

task<std::string> find_consumer(std::shared_ptr<source_state> s) {
  if (s->how.consumer.starts_with("arn:")) co_return s->how.consumer;
  while (s->fan_out.arn.empty() && !s->fan_out.polls) {
    if (s->fan_out.finding) {
      co_await s->fan_out.changed.wait();
      continue;
    }
    finder const mine(s);
    task<std::string> looking = look_until_sure(s);
    s->fan_out.arn = co_await std::move(looking);
  }
  co_return s->fan_out.arn;
}

}  // namespace weir::kinesis::detail
