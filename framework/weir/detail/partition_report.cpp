#include <weir/detail/partition_report.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace weir::detail {
namespace {

constexpr std::size_t most_windows = 100;  // of a partition, that are shown one by one
constexpr int seeing_share = 100;          // a look at operators takes at most this part of the time

double seconds(instant t) noexcept { return static_cast<double>(t) / 1e9; }
double seconds(std::chrono::nanoseconds d) noexcept { return std::chrono::duration<double>(d).count(); }

bool is_time(instant t) noexcept { return t != start_of_time && t != end_of_time; }

}  // namespace

partition_report::partition_report(std::string pipeline, std::string stream, std::string partition)
    : pipeline_(std::move(pipeline)),
      stream_(std::move(stream)),
      partition_(std::move(partition)),
      labels_{metric_label("pipeline", pipeline_), metric_label("stream", stream_), metric_label("partition", partition_)},
      status_(std::make_shared<partition_status>(pipeline_, stream_, partition_)) {}

void partition_report::begin(context& run) {
  clock_ = &run.clock();
  metrics_ = run.environment().metrics;
  on_ = watched_ || metrics_;
  if (!on_) return;
  run.watched(&operators_);
  began_ = clock_->steady();
  enter(partition_phase::starting, began_);
}

void partition_report::halted(std::string why) { status_->halted(std::move(why), clock_ ? clock_->steady() : last_); }

void partition_report::retire() noexcept {
  if (metrics_) metrics_->retire(labels_);
}

partition_report::commit::commit(partition_report& r) noexcept : report_(r) {
  if (!r.on_) return;
  before_ = r.status_->phase();
  began_ = r.clock_->steady();
  r.enter(partition_phase::committing, began_);
}

// A chunk that came meanwhile has its own phase.
partition_report::commit::~commit() {
  if (!report_.on_) return;
  std::chrono::nanoseconds const now = report_.clock_->steady();
  if (succeeded_) report_.committed_.add(seconds(now - began_));
  if (report_.status_->phase() == partition_phase::committing) report_.enter(before_, now);
}

void partition_report::tell(partition_figures f, bool committed) {
  if (!on_) return;
  f.records = records_;
  f.idle = idle_;
  look(f);
  if (metrics_) tell_metrics(f, committed);
  status_->show(std::move(f));
}

void partition_report::look(partition_figures& f) {
  std::chrono::nanoseconds const now = clock_->steady();
  if (!seen_any_ || now - seen_at_ >= seeing_share * seeing_took_) {
    seen_ = operators_.look();
    if (seen_.time.windows.size() > most_windows) seen_.time.windows.resize(most_windows);
    seen_at_ = clock_->steady();
    seeing_took_ = seen_at_ - now;
    seen_any_ = true;
  }
  f.time = seen_.time;
}

void partition_report::tell_metrics(partition_figures const& f, bool committed) {
  if (std::uint64_t const more = records_ - std::exchange(told_records_, records_))
    metrics_->add(metric::records_total, static_cast<double>(more), labels_);
  if (f.unread) set(metric::lag_records, static_cast<double>(*f.unread));
  set(metric::idle, f.idle ? 1 : 0);
  for (auto const& [name, bytes] : f.state) metrics_->set(metric::state_bytes, static_cast<double>(bytes), labels_of(name));
  set(metric::waiting_bytes, static_cast<double>(f.waiting_bytes));
  set(metric::frontier_gap, static_cast<double>(f.frontier_gap));
  std::chrono::nanoseconds const now = clock_->steady();
  double age = 0;
  if (f.frontier_gap != 0) age = f.committed_at ? seconds(clock_->now() - *f.committed_at) : seconds(now - began_);
  set(metric::checkpoint_age_seconds, std::max(0.0, age));
  bool const works = status_->phase() == partition_phase::handling || status_->phase() == partition_phase::committing;
  set(metric::stall_seconds, works ? seconds(now - last_) : 0);
  if (!handled_.empty()) metrics_->observe(metric::handler_chunk_seconds, std::exchange(handled_, {}), labels_);
  if (!committed_.empty()) metrics_->observe(metric::commit_seconds, std::exchange(committed_, {}), labels_);
  tell_time(f, committed);
  tell_operators();
}

void partition_report::tell_time(partition_figures const& f, bool committed) {
  instant lowest = end_of_time, highest = start_of_time;
  for (partition_time const& p : f.time.partitions) {
    if (p.state == partition_state::ended) continue;
    lowest = std::min(lowest, p.watermark);
    highest = std::max(highest, p.highest);
  }
  if (is_time(lowest)) {
    set(metric::watermark, seconds(lowest));
    if (furthest_) set(metric::watermark_holdback_seconds, seconds(furthest_->raise(lowest) - lowest));
  }
  if (!committed || !is_time(highest)) return;
  distribution latency;
  latency.add(seconds(clock_->now() - highest));
  metrics_->observe(metric::event_latency_seconds, latency, labels_);
}

std::array<metric_label, 4> partition_report::labels_of(std::string_view operator_name) const noexcept {
  return {labels_[0], labels_[1], labels_[2], metric_label("operator", operator_name)};
}

void partition_report::tell_operators() {
  std::map<std::string, std::size_t, std::less<>> open;
  for (std::string const& name : windows_of_) open[name] = 0;
  for (auto const& [name, n] : seen_.open) open[name] += n;
  for (auto const& [name, n] : open) {
    metrics_->set(metric::open_windows, static_cast<double>(n), labels_of(name));
    windows_of_.insert(name);
  }
  for (auto const& [name, t] : operators_.take_news()) {
    std::array const labels = labels_of(name);
    if (t.late != 0) metrics_->add(metric::late_total, static_cast<double>(t.late), labels);
    if (t.duplicate != 0) metrics_->add(metric::duplicate_total, static_cast<double>(t.duplicate), labels);
    if (t.dead != 0) metrics_->add(metric::dead_letter_total, static_cast<double>(t.dead), labels);
  }
}

}  // namespace weir::detail
