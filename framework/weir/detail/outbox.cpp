#include <weir/detail/outbox.hpp>

#include <weir/codec.hpp>
#include <weir/detail/failure_parts.hpp>
#include <weir/detail/outbox_entry.hpp>
#include <weir/detail/pipeline_topic.hpp>
#include <weir/error.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace weir::detail {
namespace {

constexpr std::size_t most_per_batch = 500;  // message_sender says so

std::string numbers_text(topic_queue const& q, std::vector<message> const& batch) {
  std::string out = "topic " + q.name + ", message " + std::to_string(batch.front().number);
  if (batch.size() != 1) out += " to " + std::to_string(batch.back().number);
  return out;
}

[[noreturn]] void throw_unknown(std::string const& topic) {
  throw error(errc::incompatible, "outbox: cannot be restored",
              "it has messages to the topic \"" + topic + "\", and the pipeline has none of that name",
              "declare it again: pipeline.use_topic(\"" + topic + "\", ...), until its messages are delivered");
}

}  // namespace

outbox::outbox(listener& l, checkpoint_key const& key, std::vector<std::shared_ptr<pipeline_sink>> const& declared)
    : listener_(l), key_(key) {
  for (auto const& s : declared)
    if (auto const* const t = dynamic_cast<pipeline_topic const*>(s.get())) queues_.emplace_back(t->name(), t->options());
}

topic_queue& outbox::queue(std::string_view topic) { return *std::ranges::find(queues_, topic, &topic_queue::name); }

// The last number of a topic comes before its messages, which are in order.
void outbox::restore(std::vector<state_entry>& entries) {
  for (topic_queue& q : queues_) q.last = 0;
  auto const [first, end] = std::ranges::equal_range(entries, outbox_id, {}, &state_entry::operator_id);
  for (auto e = first; e != end; ++e) {
    outbox_entry const entry = parse_outbox_key(e->key);
    auto const found = std::ranges::find(queues_, entry.topic, &topic_queue::name);
    if (found == queues_.end()) {
      if (entry.number) throw_unknown(entry.topic);
      continue;  // its numbers stay where they are: it may come back
    }
    topic_queue& q = *found;
    q.last = std::max(q.last, entry.number ? *entry.number : decode_state<std::uint64_t>(e->value));
    if (!q.restored && q.waiting.empty()) q.delivered = q.erased = entry.number ? *entry.number - 1 : q.last;
    if (entry.number && *entry.number > q.stored())
      q.add(waiting_message(*entry.number, std::string(reinterpret_cast<char const*>(e->value.data()), e->value.size())));
  }
  entries.erase(first, end);
  for (topic_queue& q : queues_) {
    q.restored = true;
    q.filled.wake();
  }
}

bool outbox::has_delivered() const noexcept { return std::ranges::any_of(queues_, &topic_queue::has_delivered); }
bool outbox::empty() const noexcept {
  return std::ranges::all_of(queues_, [](topic_queue const& q) { return q.waiting.empty(); });
}

std::size_t outbox::memory() const noexcept {
  std::size_t all = 0;
  for (topic_queue const& q : queues_) all += q.memory;
  return all;
}

outbox::step outbox::next(std::span<std::shared_ptr<outbox_write> const> sent, std::vector<state_change>& changes) {
  step s;
  for (topic_queue& q : queues_) {
    step::part p(q, q.delivered);
    for (std::uint64_t n = q.erased; n != p.erased;) changes.push_back(erase_message(q.name, ++n));
    std::uint64_t number = q.last;
    for (auto const& w : sent) {
      if (w->to != &q) continue;
      for (std::string& payload : w->messages) {
        changes.push_back(put_message(q.name, ++number, payload));
        p.fresh.emplace_back(number, std::move(payload));
      }
    }
    if (!p.fresh.empty()) changes.push_back(put_last_number(q.name, number));
    if (!p.fresh.empty() || p.erased != q.erased) s.parts.push_back(std::move(p));
  }
  return s;
}

void outbox::stored(step s) {
  for (step::part& p : s.parts) {
    topic_queue& q = *p.of;
    q.erased = p.erased;
    if (p.fresh.empty()) continue;
    q.last = p.fresh.back().number;
    for (waiting_message& m : p.fresh) q.add(std::move(m));
    q.filled.wake();
  }
}

task<> outbox::deliver_beside(task<> work) {
  context& own = co_await current_context();
  child_group group(own);
  for (topic_queue& q : queues_) group.start(run(*this, q, group));
  std::exception_ptr failure;
  try {
    task<> mine = std::move(work);
    co_await std::move(mine);
  } catch (...) {
    failure = std::current_exception();
  }
  group.branch().cancel();
  co_await group.join();
  if (failure) std::rethrow_exception(failure);
}

task<> outbox::all_delivered() {
  while (!failure_ && !empty()) co_await emptied_.wait();
  if (failure_) std::rethrow_exception(failure_);
}

task<> outbox::some_delivered() { co_await freed_.wait(); }

root outbox::run(outbox& all, topic_queue& q, child_group& g) {
  {
    context const& own = co_await current_context();
    std::exception_ptr failure;
    try {
      task<> delivering = all.deliver(q);
      co_await std::move(delivering);
    } catch (...) {
      failure = std::current_exception();
    }
    if (!own.cancelled()) all.fail(own, failure);
  }
  g.leave();
}

task<> outbox::deliver(topic_queue& q) {
  context const& own = co_await current_context();
  for (;;) {
    while (q.waiting.empty()) co_await q.filled.wait();
    own.cancellation().throw_if_requested();
    std::vector<message> batch;
    for (std::size_t i = 0; i != std::min(q.waiting.size(), most_per_batch); ++i)
      batch.emplace_back(key_.pipeline, key_.stream, key_.partition, q.name, q.waiting[i].number, q.waiting[i].payload);
    std::uint64_t const up_to = batch.back().number;
    task<> sending = send(q, std::move(batch));
    co_await std::move(sending);
    q.delivered = up_to;
    while (!q.waiting.empty() && q.waiting.front().number <= up_to) q.drop_first();
    listener_.delivered();
    freed_.wake();
    if (!q.full()) q.room.wake();
    if (empty()) emptied_.wake();
  }
}

// Returns when the batch is delivered; throws when that has failed for the last time.
task<> outbox::send(topic_queue& q, std::vector<message> batch) {
  context const& own = co_await current_context();
  for (unsigned tries = 1;; ++tries) {
    std::exception_ptr failure;
    try {
      task<> sending = q.options->sender->send(batch);
      co_await std::move(sending);
    } catch (...) {
      failure = std::current_exception();
    }
    if (!failure) co_return;
    std::optional<std::chrono::nanoseconds> const delay = q.options->retries.after(failure, tries);
    if (!delay) {
      throw error(code_of(failure, errc::io), "topic: cannot deliver", reason_of(failure),
                  "what waits stays in the outbox: correct that and start the pipeline again, which delivers it first")
          .with_stream(key_.stream)
          .with_partition(key_.partition)
          .with_detail(numbers_text(q, batch))
          .with_detail("after " + std::to_string(tries) + (tries == 1 ? " try" : " tries"))
          .with_detail("pipeline " + key_.pipeline);
    }
    own.log().warning("topic: a delivery failed (" + numbers_text(q, batch) + ", partition " + key_.partition + "): " + reason_of(failure) +
                      "; trying it again");
    co_await sleep_for(*delay);
  }
}

void outbox::fail(context const& by, std::exception_ptr failure) {
  by.log().error(reason_of(failure));
  if (!failure_) failure_ = std::move(failure);
  listener_.undeliverable();
  for (topic_queue& q : queues_) q.room.wake();
  emptied_.wake();
  freed_.wake();
}

}  // namespace weir::detail
