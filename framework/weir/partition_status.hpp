#pragma once
#include <weir/explanation.hpp>
#include <weir/instant.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// What a partition is at.
enum class partition_phase : std::uint8_t {
  starting,    ///< its checkpoint is loaded, its source opened
  reading,     ///< all it was given is done, and it waits for more
  handling,    ///< the handler has what it was given last
  committing,  ///< the store, or a sink outside, has the checkpoint and did not answer yet
  waiting,     ///< the handler has failed and is run again in a while
  halted,      ///< it has failed for good; a restart goes on from its checkpoint
};

/// "starting", "reading", ...
std::string_view to_string(partition_phase phase) noexcept;

/// One partition of a pipeline, seen at one moment. A value.
class partition_figures {
public:
  std::string pipeline, stream, partition;
  partition_phase phase = partition_phase::starting;
  std::chrono::nanoseconds in_phase{};                     ///< how long it has been at that without anything moving
  std::uint64_t records = 0;                               ///< handed to the handler since it was assigned
  std::uint64_t frontier_gap = 0;                          ///< of these, how many no checkpoint has
  std::optional<std::uint64_t> unread;                     ///< records that wait at the source, where it knows
  bool idle = false;                                       ///< the source was asked and had nothing
  std::string frontier, committed;                         ///< positions as text; empty: nothing yet
  std::optional<instant> committed_at;                     ///< none: never
  explanation time;                                        ///< its event time, and windows that wait
  std::vector<std::pair<std::string, std::size_t>> state;  ///< bytes in memory by operator, the largest first
  std::size_t waiting_bytes = 0;                           ///< in memory until it is committed or delivered
  std::string failure;                                     ///< why it has halted

  /// It has work, and nothing of that has moved for longer than `limit`.
  bool stalled(std::chrono::nanoseconds limit) const noexcept {
    return (phase == partition_phase::handling || phase == partition_phase::committing) && in_phase > limit;
  }
  /// What it is at, since when, and what to look at: one sentence.
  std::string text() const;
};

/// Where a partition's strand shows how it is, and other threads look. What moves with each chunk is atomic, the rest is shown with commits
/// and once in a while: nobody waits for anybody. Thread-safe.
class partition_status {
public:
  partition_status(std::string pipeline, std::string stream, std::string partition);
  partition_status(partition_status const&) = delete;
  partition_status& operator=(partition_status const&) = delete;

  /// At `now` as of a steady clock, the context's. On the strand, as is `show`.
  void enter(partition_phase phase, std::chrono::nanoseconds now) noexcept {
    since_.store(now.count(), std::memory_order_relaxed);
    phase_.store(phase, std::memory_order_relaxed);
  }
  partition_phase phase() const noexcept { return phase_.load(std::memory_order_relaxed); }
  /// All but names and phase.
  void show(partition_figures f);
  void halted(std::string why, std::chrono::nanoseconds now);

  /// `now`: of the same clock.
  partition_figures look(std::chrono::nanoseconds now) const;

private:
  std::atomic<std::int64_t> since_{0};
  std::atomic<partition_phase> phase_{partition_phase::starting};
  mutable std::mutex lock_;
  partition_figures figures_;
};

}  // namespace weir
