#include <weir/kinesis/detail/poll_shard.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/detail/list_shards.hpp>
#include <weir/kinesis/detail/look_up.hpp>
#include <weir/kinesis/detail/shard_report.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/record_unpacker.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/kinesis/shard_reading.hpp>
#include <weir/sleep.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>

namespace weir::kinesis::detail {
namespace {

polling polling_of(options const& o) {
  polling out;
  out.limit = o.limit;
  out.poll = o.poll;
  out.idle_poll = o.idle_poll;
  return out;
}

// Says of what a call has failed, and of a place that is not the stream's, whose it may be.
void describe(error& e, source_state const& s, std::string const& id, read_step const& step) {
  e.with_stream(s.how.stream).with_partition(id);
  using enum starting_position::type;
  auto const from = step.from().which();
  if (e.code() != errc::invalid_argument || (from != at_sequence_number && from != after_sequence_number)) return;
  e.with_detail("resuming at " + step.from().sequence_number() + "; if the stream was made anew, erase its checkpoints");
}

// Does what is next. Returns whether records came.
task<bool> do_next(std::shared_ptr<source_state> s, std::string id, shard_reading& reading, read_step step, record_batch& into) {
  context const& own = co_await current_context();
  request_slots::slot const held = co_await s->slots.take();
  try {
    if (step.what() == read_step::kind::get_iterator) {
      task<std::string> asking = s->service->get_shard_iterator(s->how.stream, id, step.from());
      std::string iterator = co_await std::move(asking);
      reading.got_iterator(std::move(iterator), s->service->clock_ahead());
      co_return false;
    }
    task<record_batch> asking = s->service->get_records(reading.iterator(), s->how.limit);
    into = co_await std::move(asking);
  } catch (error& e) {
    describe(e, *s, id, step);
    throw;
  }
  reading.got_records(into, own.clock().now());
  co_return true;
}

}  // namespace

stream<record> poll_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after,
                          std::optional<starting_position> from) {
  if (after == shard_end) co_return;
  if (!after && !from) after = s->given(id);
  hash_key_range const keys = co_await keys_of(s, id);
  starting_position const start = from.value_or(s->start_of(id));
  bool const at_tip = !after && start.which() == starting_position::type::latest;
  shard_reading reading(polling_of(s->how), start, after, s->allowance(id), static_cast<std::uint32_t>(s->random_bits()));
  record_unpacker unpacker(id, keys, s->how.misplaced, after);
  shard_report report(s->how.stream, id);
  std::chrono::nanoseconds quiet{};
  bool names_children = false;   // the last reply
  std::exception_ptr not_found;  // the shard, when it was read
  for (;;) {
    environment& env = (co_await current_context()).environment();
    instant const now = env.clock().now();
    read_step const step = reading.next(now);
    bool const ends = step.what() == read_step::kind::end;
    if (ends && names_children) co_return;
    if (step.what() == read_step::kind::wait) {
      std::chrono::nanoseconds const pause(step.until() - now);
      co_await sleep_for(pause);
      if (reading.idle()) quiet += pause;
      continue;
    }
    record_batch batch;
    std::optional<listed_as> listed;
    bool came = false;
    try {
      if (ends || not_found) {
        task<listed_as> asking = look_up(s, id);
        listed = co_await std::move(asking);
      } else {
        came = co_await do_next(s, id, reading, step, batch);
      }
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      if (reading.failed(e.code(), env.clock().now())) {
        log_held_up(env.log, "reading a shard", reading.failures(), e);
        continue;
      }
      if (ends || not_found || e.code() != condition::not_found) throw;
      not_found = std::current_exception();
      continue;
    }
    if (listed && not_found) {
      if (*listed != listed_as::gone) std::rethrow_exception(not_found);
      say_lost(env.log, s->how.stream, id);
      co_return;
    }
    if (listed) {
      if (*listed != listed_as::open) co_return;
      report.not_ended(env);
      reading.not_ended(env.clock().now());
      continue;
    }
    if (!came) continue;
    names_children = !batch.children.empty();
    if (at_tip && !batch.records.empty()) s->came_at_tip(id, batch.records.front().position);
    report.behind(env, batch.behind);
    unpacker.take(std::move(batch));
    for (;;) {
      std::span<record> const some = unpacker.next();
      if (some.empty()) break;
      quiet = {};
      co_yield some;
    }
    report.misplaced(env, unpacker.misplaced());
    if (reading.idle()) co_yield mark::idle(quiet);
  }
}

}  // namespace weir::kinesis::detail
