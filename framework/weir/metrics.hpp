#pragma once
#include <weir/distribution.hpp>

#include <span>
#include <string_view>

namespace weir {

/// The names of Weir's own figures. Those ending in `_total` are counters (`metrics::add`), the last three distributions
/// (`metrics::observe`), the others gauges (`metrics::set`).
///
/// An application sets them for each partition that it reads, with the labels `pipeline`, `stream` and `partition`: with each commit, at
/// the end, and, where it has a watch (`settings::stall_after`, `settings::status`), every second. Those of operators have the label
/// `operator`, too. What a transport alone knows (`millis_behind_latest`, `lease_changes_total`) it sets itself, with `stream` and
/// `partition`.
namespace metric {
/// Records that are there and were not read yet, where the source knows (`source::unread`).
inline constexpr std::string_view lag_records = "lag_records";
/// Age of what was read last.
inline constexpr std::string_view millis_behind_latest = "millis_behind_latest";
/// Of the partition's event time, in seconds since the epoch: the lowest of those of its inputs that are not over.
inline constexpr std::string_view watermark = "watermark";
/// How far that is behind the furthest of the pipeline's partitions that this process has read.
inline constexpr std::string_view watermark_holdback_seconds = "watermark_holdback_seconds";
/// 1: nothing to read though able to, as the source says; 0 when there was something.
inline constexpr std::string_view idle = "idle";
/// Since the last commit, while something is done that is not committed; else 0.
inline constexpr std::string_view checkpoint_age_seconds = "checkpoint_age_seconds";
/// Records that were handed to the handler and are in no checkpoint, counted by chunks: at most so many a crash would repeat.
inline constexpr std::string_view frontier_gap = "frontier_gap";
/// Windows that have elements and did not fire, by the operator.
inline constexpr std::string_view open_windows = "open_windows";
/// Kept in memory by operators, by the operator: see `pipeline_builder::memory_budget`. Set with each commit.
inline constexpr std::string_view state_bytes = "state_bytes";
/// In memory until it is committed or delivered: changes of state, rows of sinks, messages. Set with each commit.
inline constexpr std::string_view waiting_bytes = "waiting_bytes";
/// How long the handler has had what it was given last, or a commit has been under way; 0 while it waits for the source.
inline constexpr std::string_view stall_seconds = "stall_seconds";
/// Records that were handed to the handler.
inline constexpr std::string_view records_total = "records_total";
/// Elements behind the watermark, by the operator.
inline constexpr std::string_view late_total = "late_total";
/// Elements seen before, by the operator.
inline constexpr std::string_view duplicate_total = "duplicate_total";
/// Elements set aside: records that were given up, lines that are none, elements that cannot be placed in time (by the operator).
inline constexpr std::string_view dead_letter_total = "dead_letter_total";
/// Partitions gained or lost.
inline constexpr std::string_view lease_changes_total = "lease_changes_total";
/// From when the handler was given a chunk of records until it asked for more.
inline constexpr std::string_view handler_chunk_seconds = "handler_chunk_seconds";
/// What a commit of the checkpoint took; those that failed are not among them.
inline constexpr std::string_view commit_seconds = "commit_seconds";
/// From the highest event time seen to the commit behind it, by the wall clock: how old results are, at least, when they are there. Not
/// for data that has ended.
inline constexpr std::string_view event_latency_seconds = "event_latency_seconds";
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

  /// So often something has taken so long since the last call: adds to the distribution `name`.
  virtual void observe(std::string_view name, distribution const& more, std::span<metric_label const> labels) noexcept = 0;
  /// The gauges which have all these labels say nothing any more: a partition is no longer read here. Counters and distributions stay.
  virtual void retire(std::span<metric_label const> /*labels*/) noexcept {}

  void add(std::string_view name, double n) noexcept { add(name, n, {}); }
  void set(std::string_view name, double value) noexcept { set(name, value, {}); }
};

}  // namespace weir
