#pragma once
#include <weir/context.hpp>
#include <weir/detail/watched_operators.hpp>
#include <weir/distribution.hpp>
#include <weir/metrics.hpp>
#include <weir/partition_status.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace weir::detail {

// The furthest watermark of a pipeline's partitions, of this process. Strand only.
class furthest_watermark {
public:
  instant raise(instant to) noexcept { return at_ = std::max(at_, to); }

private:
  instant at_ = start_of_time;
};

// What is told of one partition while it is read: to metrics, and to whoever looks from another thread. Strand only. Until somebody
// listens, it costs a look at a flag.
class partition_report {
public:
  partition_report(std::string pipeline, std::string stream, std::string partition);
  partition_report(partition_report const&) = delete;
  partition_report& operator=(partition_report const&) = delete;

  std::shared_ptr<partition_status> const& status() const noexcept { return status_; }
  watched_operators& operators() noexcept { return operators_; }
  // Somebody looks at the status. Before `begin`.
  void is_watched() noexcept { watched_ = true; }
  void compares_with(std::shared_ptr<furthest_watermark> w) noexcept { furthest_ = std::move(w); }
  // It runs under this context, which outlives all calls but those of `status`.
  void begin(context& run);
  bool on() const noexcept { return on_; }

  // A chunk of so many records goes out; the handler has asked for more; the source is asked.
  void handed(std::uint64_t records) noexcept {
    if (!on_) return;
    records_ += records;
    enter(partition_phase::handling, clock_->steady());
  }
  void returned() noexcept {
    if (!on_) return;
    std::chrono::nanoseconds const now = clock_->steady();
    handled_.add(std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }
  void pulls() noexcept {
    if (on_) enter(partition_phase::reading, last_);
  }
  void idle(bool is) noexcept { idle_ = is; }
  void waits() noexcept {
    if (on_) enter(partition_phase::waiting, clock_->steady());
  }
  void halted(std::string why);
  // It is no longer read here.
  void retire() noexcept;

  // While it lives, a commit is under way.
  class commit {
  public:
    explicit commit(partition_report& r) noexcept;
    commit(commit const&) = delete;
    commit& operator=(commit const&) = delete;
    ~commit();
    void succeeded() noexcept { succeeded_ = true; }

  private:
    partition_report& report_;
    partition_phase before_ = partition_phase::starting;
    std::chrono::nanoseconds began_{};
    bool succeeded_ = false;
  };

  // `f`: what others than this know. A commit has just succeeded, or not; operators are looked at where that takes no noticeable part of
  // the time.
  void tell(partition_figures f, bool committed);

private:
  void enter(partition_phase p, std::chrono::nanoseconds now) noexcept {
    last_ = now;
    status_->enter(p, now);
  }
  void look(partition_figures& f);
  void tell_metrics(partition_figures const& f, bool committed);
  void tell_time(partition_figures const& f, bool committed);
  void tell_operators();
  std::array<metric_label, 4> labels_of(std::string_view operator_name) const noexcept;
  void set(std::string_view name, double value) { metrics_->set(name, value, labels_); }

  std::string const pipeline_, stream_, partition_;
  std::array<metric_label, 3> labels_;
  std::shared_ptr<partition_status> status_;
  std::shared_ptr<furthest_watermark> furthest_;
  watched_operators operators_;
  bool watched_ = false, on_ = false, idle_ = false;
  clock* clock_ = nullptr;
  weir::metrics* metrics_ = nullptr;
  std::chrono::nanoseconds last_{}, began_{};
  std::uint64_t records_ = 0, told_records_ = 0;
  distribution handled_, committed_;
  operator_sight seen_;
  std::chrono::nanoseconds seen_at_{}, seeing_took_{};
  bool seen_any_ = false;
  std::set<std::string, std::less<>> windows_of_;  // operators that had some
};

}  // namespace weir::detail
