#pragma once
#include "lease_fake.hpp"

#include <weir/kinesis/lease_worker.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace weir::test {

/// A row without a checkpoint.
inline kinesis::lease lease_row(std::string key, std::string owner = "", std::uint64_t counter = 0) {
  kinesis::lease l;
  l.key = std::move(key);
  l.owner = std::move(owner);
  l.counter = counter;
  return l;
}

/// A worker, and a table that answers at once.
class worker_at_table {
public:
  using time_point = std::chrono::nanoseconds;
  worker_at_table(std::string name, lease_fake& t, kinesis::lease_options const& o = {}) : worker(std::move(name), o, 1), table_(t) {}
  void look(time_point now) { worker.saw(table_.all(), now, now); }
  /// Sends what is due, until nothing is.
  void work(time_point now) {
    for (auto writes = worker.due(now); !writes.empty(); writes = worker.due(now))
      for (kinesis::lease_write const& w : writes) answer(w, now);
  }
  void answer(kinesis::lease_write const& w, time_point now) {
    if (table_.write(w)) worker.done(w, now);
    else worker.refused(w, table_.at(w.key()), now);
  }
  /// "gained a, lost b"
  std::string events() {
    std::string out;
    for (kinesis::lease_event const& e : worker.take_events()) {
      static constexpr std::string_view words[] = {"gained", "asked_for", "checkpointed", "ended", "lost"};
      out += (out.empty() ? "" : ", ") + std::string(words[static_cast<std::size_t>(e.what)]) + ' ' + e.of.key;
      why = e.why;
    }
    return out;
  }

  kinesis::lease_worker worker;
  std::string why;

private:
  lease_fake& table_;
};

}  // namespace weir::test
