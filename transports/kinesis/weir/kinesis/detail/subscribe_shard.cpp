#include <weir/kinesis/detail/subscribe_shard.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/fan_out_refusal.hpp>
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

task<stream<record_batch>> subscribed(std::shared_ptr<source_state> s, std::string arn, std::string id, starting_position from) {
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
  bool refused = false, sure = false;          // fan-out: just now; and yet the stream could be listed since
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
      if (ends || not_found || refused) {
        task<listed_as> asking = look_up(s, id);
        listed = co_await std::move(asking);
      } else {
        if (!events) {
          task<std::string> finding = find_consumer(s);
          std::string arn = co_await std::move(finding);
          if (arn.empty()) continue;
          task<stream<record_batch>> opening = subscribed(s, std::move(arn), id, place);
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
      if (ends || not_found || refused) throw;
      if (refuses_fan_out(e.code(), agreed)) {
        if (sure || s->how.otherwise == without_fan_out::fail) do_without_fan_out(*s, env.log, e);
        else refused = true;
        continue;
      }
      if (e.code() != condition::not_found) throw;
      not_found = std::current_exception();
      continue;
    }
    if (refused) {
      refused = false;
      sure = true;
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
    renewed = sure = false;
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
