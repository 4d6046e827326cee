#pragma once
#include <span>
#include <string_view>

namespace weir {

/// The names of Weir's own figures. Those ending in `_total` are counters (`metrics::add`), the others gauges (`metrics::set`).
namespace metric {
/// Not read yet.
inline constexpr std::string_view lag_records = "lag_records";
/// Age of what was read last.
inline constexpr std::string_view millis_behind_latest = "millis_behind_latest";
/// Seconds since the epoch.
inline constexpr std::string_view watermark = "watermark";
/// Behind the fastest partition.
inline constexpr std::string_view watermark_holdback_seconds = "watermark_holdback_seconds";
/// 1: nothing to read though able to.
inline constexpr std::string_view idle = "idle";
/// Since the last commit.
inline constexpr std::string_view checkpoint_age_seconds = "checkpoint_age_seconds";
/// Records a crash would repeat.
inline constexpr std::string_view frontier_gap = "frontier_gap";
/// Windows that have elements and did not close.
inline constexpr std::string_view open_windows = "open_windows";
/// Kept in memory by operators, by the operator: see `pipeline_builder::memory_budget`. Set with each commit.
inline constexpr std::string_view state_bytes = "state_bytes";
/// In memory until it is committed or delivered: changes of state, rows of sinks, messages. Set with each commit.
inline constexpr std::string_view waiting_bytes = "waiting_bytes";
/// Since something moved, while there is work.
inline constexpr std::string_view stall_seconds = "stall_seconds";
/// Records the pipeline took.
inline constexpr std::string_view records_total = "records_total";
/// Elements behind the watermark, by what became of them.
inline constexpr std::string_view late_total = "late_total";
/// Elements seen before.
inline constexpr std::string_view duplicate_total = "duplicate_total";
/// Elements set aside.
inline constexpr std::string_view dead_letter_total = "dead_letter_total";
/// Partitions gained or lost.
inline constexpr std::string_view lease_changes_total = "lease_changes_total";
}  // namespace metric

/// What a figure belongs to: `metric_label("partition", "3")`. Views: valid during the call they are given to.
struct metric_label {
  constexpr metric_label(std::string_view n, std::string_view v) noexcept : name(n), value(v) {}
  std::string_view name, value;
};

/// Where figures go: implement it over whatever collects them. Weir calls it per chunk or commit, not per record.
///
/// Thread-safety: called from any strand at any time. Must not throw. `testing::recording_metrics` is one for tests.
class metrics {
public:
  metrics() = default;
  metrics(metrics const&) = delete;
  metrics& operator=(metrics const&) = delete;
  virtual ~metrics() = default;
  /// The counter `name` grows by `n` >= 0.
  virtual void add(std::string_view name, double n, std::span<metric_label const> labels) noexcept = 0;
  /// The gauge `name` is `value` from here on.
  virtual void set(std::string_view name, double value, std::span<metric_label const> labels) noexcept = 0;

  void add(std::string_view name, double n) noexcept { add(name, n, {}); }
  void set(std::string_view name, double value) noexcept { set(name, value, {}); }
};

}  // namespace weir
