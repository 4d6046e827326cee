#pragma once
#include <weir/metrics.hpp>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::testing {

/// Keeps every figure it is given, for a test to look at: `CHECK(figures.value("late_total{policy=\"drop\"}") == 3)`. Thread-safe.
class recording_metrics final : public metrics {
public:
  using metrics::add;
  using metrics::set;
  void add(std::string_view name, double n, std::span<metric_label const> labels) noexcept override;
  void set(std::string_view name, double value, std::span<metric_label const> labels) noexcept override;
  void observe(std::string_view name, distribution const& more, std::span<metric_label const> labels) noexcept override;

  /// A counter's sum or a gauge's last value, by its name in the form of Prometheus: `idle{stream="ticks",partition="3"}`, labels in the
  /// order given, no braces when there are none. Null when it was never set.
  std::optional<double> value(std::string_view name) const;
  /// A distribution, by such a name; empty when nothing was observed.
  distribution observed(std::string_view name) const;
  /// All counters and gauges, by that name.
  std::map<std::string, double, std::less<>> all() const;

private:
  static std::string full_name(std::string_view name, std::span<metric_label const> labels);
  mutable std::mutex lock_;
  std::map<std::string, double, std::less<>> values_;
  std::map<std::string, distribution, std::less<>> distributions_;
};

}  // namespace weir::testing
