#pragma once
#include <weir/application.hpp>
#include <weir/detail/outbox_entry.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_sender.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/testing/run.hpp>
#include <weir/topic.hpp>

#include "support/keeping_in.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

using messages = std::vector<message>;
using texts = std::vector<std::string>;

inline std::string digits_of(int const& x) { return std::to_string(x); }

/// The messages `from` to `to` of partition "0" to the topic "t", with these numbers as payloads.
inline messages numbered(int from, int to) {
  messages out;
  for (int n = from; n <= to; ++n) out.emplace_back("test/memory", "memory", "0", "t", static_cast<std::uint64_t>(n), std::to_string(n));
  return out;
}

/// Sends each number to the topic "t".
inline task<> send_all(stream<int> s, stream_context& context) {
  while (int* const x = co_await s.next()) co_await context.send("t", *x);
}

/// A sender that does something else first; what that throws, it fails with.
class scripted_sender final : public message_sender {
public:
  explicit scripted_sender(std::function<task<>(messages const&)> first) : first_(std::move(first)) {}
  std::string_view kind() const noexcept override { return "scripted"; }
  task<> send(messages batch) override {
    task<> before = first_(batch);
    co_await std::move(before);
    task<> taking = inside_.send(std::move(batch));
    co_await std::move(taking);
  }
  messages const& delivered() const noexcept { return inside_.messages(); }

private:
  std::function<task<>(messages const&)> first_;
  memory_sender inside_;
};

/// What outlives a process: its store.
struct outbox_world {
  std::shared_ptr<memory_state_store> store = std::make_shared<memory_state_store>();

  settings with(std::uint64_t records, std::shared_ptr<state_store> through = nullptr) const {
    commit_policy commit;
    commit.records = records;
    commit.every = std::chrono::hours(1);
    return keeping_in(through ? std::move(through) : store, commit);
  }
  /// A process that sends what it reads to "t".
  void run(testing::script<int> input, topic<int> const& t, std::uint64_t records = 2) const {
    application app(with(records));
    app.use_memory_stream(std::move(input), [&](auto& pipeline) { pipeline.use_topic("t", t).use_stream(send_all); });
    testing::run(app.serve());
  }
  /// The keys of what the checkpoint has of messages.
  texts kept(std::string partition = "0") const { return testing::run(kept(store, std::move(partition))); }
  static task<texts> kept(std::shared_ptr<memory_state_store> store, std::string partition) {
    auto const saved = co_await store->load(checkpoint_key("test/memory", "memory", partition));
    texts out;
    if (!saved) co_return out;
    for (state_entry const& e : saved->entries)
      if (e.operator_id == "(outbox)") out.push_back(e.key);
    co_return out;
  }
};

}  // namespace weir::test
