#include <weir/kinesis/detail/subscribe_shard.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/find_consumer.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/detail/list_shards.hpp>
#include <weir/kinesis/detail/look_up.hpp>
#include <weir/kinesis/detail/poll_shard.hpp>
#include <weir/kinesis/detail/shard_report.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/record_unpacker.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/kinesis/shard_subscription.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <exception>
#include <span>
#include <utility>

namespace weir::kinesis::detail {
namespace {

// It will not be had by asking again. `agreed`: it was had before.
bool is_impossible(std::error_code const& code, bool agreed) noexcept {
  return code == weir::errc::access_denied || code == weir::errc::incompatible || code == errc::unknown_operation ||
         (code == weir::errc::rejected && !agreed);
}

// Says what fan-out fails for, or that it does without.
void do_without(source_state& s, logger const& log, error const& why) {
  if (s.how.otherwise == without_fan_out::fail) {
    throw error(
        why.code(), "kinesis: no enhanced fan-out by the consumer " + s.how.consumer, why.what(),
        "allow kinesis:DescribeStreamSummary, DescribeStreamConsumer, RegisterStreamConsumer and SubscribeToShard, and HTTP/2 to the "
        "endpoint; or poll (options::otherwise)")
        .with_stream(s.how.stream);
  }
  if (std::exchange(s.fan_out.polls, true)) return;
  log.error("kinesis: enhanced fan-out cannot be had (stream " + s.how.stream + ", consumer " + s.how.consumer +
            "): it is polled from now on, as the options say; " + why.what());
}

task<stream<record_batch>> subscribed(std::shared_ptr<source_state> s, std::string id, starting_position from) {
  task<std::string> finding = find_consumer(s);
  std::string arn = co_await std::move(finding);
  request_slots::slot const held = co_await s->slots.take();
  task<stream<record_batch>> asking = s->service->subscribe_to_shard(std::move(arn), std::move(id), std::move(from));
  stream<record_batch> out = co_await std::move(asking);
  co_return out;
}

// The service goes on with empty events though it lists the shard as closed.
bool seems_over(source_state const& s, std::string const& id, shard_subscription const& reading) {
  shard const* const known = s.graph.find(id);
  return reading.idle() && known && known->closed;
}

}  // namespace

stream<record> subscribe_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after,
                               std::optional<starting_position> from) {
  if (after == shard_end) co_return;
  if (!after && !from) after = s->given(id);
  hash_key_range const keys = co_await keys_of(s, id);
  starting_position place = from.value_or(s->start_of(id));
  bool const at_tip = !after && place.which() == starting_position::type::latest;
  shard_subscription reading(place, after, static_cast<std::uint32_t>(s->random_bits()));
  record_unpacker unpacker(id, keys, s->how.misplaced, after);
  shard_report report(s->how.stream, id);
  environment& env = (co_await current_context()).environment();
  std::optional<stream<record_batch>> events;  // of the subscription under way
  std::chrono::nanoseconds quiet{};            // while it was asked
  bool names_children = false;                 // the last event
  std::exception_ptr not_found;                // the shard, or the consumer, when it was subscribed to
  bool renewed = false;                        // the consumer, since an event came
  while (!s->fan_out.polls && !seems_over(*s, id, reading)) {
    bool ends = false;
    if (!events) {
      instant const now = env.clock().now();
      subscription_step const step = reading.next(now);
      ends = step.what() == subscription_step::kind::end;
      if (ends && names_children) co_return;
      if (step.what() == subscription_step::kind::wait) {
        co_await sleep_for(std::chrono::nanoseconds(step.until() - now));
        continue;
      }
      place = step.from();
    }
    record_batch* event = nullptr;
    std::optional<listed_as> listed;
    instant const asked = env.clock().now();
    try {
      if (ends || not_found) {
        task<listed_as> asking = look_up(s, id);
        listed = co_await std::move(asking);
      } else {
        if (!events) {
          task<stream<record_batch>> opening = subscribed(s, id, place);
          stream<record_batch> opened = co_await std::move(opening);
          events.emplace(std::move(opened));
          reading.subscribed(env.clock().now(), s->service->clock_ahead());
        }
        event = co_await events->next();
      }
    } catch (error& e) {
      bool const agreed = events.has_value();
      events.reset();
      if (e.code() == condition::cancelled) throw;
      e.with_stream(s->how.stream).with_partition(id);
      if (reading.failed(e.code(), env.clock().now())) {
        log_held_up(env.log, "a subscription to a shard", reading.failures(), e);
        continue;
      }
      if (is_impossible(e.code(), agreed)) {
        do_without(*s, env.log, e);
        continue;
      }
      if (ends || not_found || e.code() != condition::not_found) throw;
      not_found = std::current_exception();
      continue;
    }
    if (listed && not_found) {
      if (*listed == listed_as::gone) {
        say_lost(env.log, s->how.stream, id);
        co_return;
      }
      if (std::exchange(renewed, true)) std::rethrow_exception(not_found);
      s->fan_out.arn.clear();  // somebody may have deregistered the consumer
      not_found = nullptr;
      continue;
    }
    if (listed) {
      if (*listed != listed_as::open) co_return;
      report.not_ended(env);
      reading.not_ended(env.clock().now());
      continue;
    }
    if (!event) {
      events.reset();
      reading.ended(env.clock().now());
      continue;
    }
    renewed = false;
    reading.got_event(*event, env.clock().now());
    names_children = !event->children.empty();
    report.behind(env, event->behind);
    if (at_tip && !event->records.empty()) s->came_at_tip(id, event->records.front().position);
    quiet += std::chrono::nanoseconds(env.clock().now() - asked);
    unpacker.take(std::move(*event));
    for (;;) {
      std::span<record> const some = unpacker.next();
      if (some.empty()) break;
      quiet = {};
      co_yield some;
    }
    report.misplaced(env, unpacker.misplaced());
    if (reading.idle()) co_yield mark::idle(quiet);
  }
  events.reset();
  stream<record> rest = poll_shard(s, id, reading.reached(), reading.start());
  for (;;) {
    chunk<record> c = co_await next_chunk(rest);
    if (!c) co_return;
    co_yield c;
  }
}

}  // namespace weir::kinesis::detail
