#pragma once
#include <weir/distribution.hpp>
#include <weir/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Collects figures, and writes them as Prometheus reads them: for a `GET /metrics` that Prometheus, an agent of OpenTelemetry or any other
/// that knows the format asks for. `status::server` has one inside.
///
/// A name `records_total` becomes `weir_records_total`. Names and label names that the format does not allow get `_` for each wrong
/// character, label values that are no UTF-8 get U+FFFD. A name has one kind, that of its first use, and at most `most_series` series (sets
/// of label values), so that a mistake in labels does not fill the memory here and there; what does not fit is left out, and counted in
/// `weir_metrics_dropped_total`.
///
/// Thread-safety: all of it, from any thread. A call takes a lock for as long as a look-up takes; `text` for as long as it takes to write
/// all. Source: Prometheus, "Exposition formats", text format 0.0.4; "Metric and label naming" (both as of 2024-08).
class prometheus_metrics final : public metrics {
public:
  using metrics::add;
  using metrics::set;
  /// The media type of `text()`, for `Content-Type`.
  static constexpr std::string_view content_type = "text/plain; version=0.0.4; charset=utf-8";

  /// `prefix`: goes before all names. `most_series`: of each name, at least 1; a distribution counts as one.
  explicit prometheus_metrics(std::string prefix = "weir_", std::size_t most_series = 10'000);

  void add(std::string_view name, double n, std::span<metric_label const> labels) noexcept override;
  void set(std::string_view name, double value, std::span<metric_label const> labels) noexcept override;
  void observe(std::string_view name, distribution const& more, std::span<metric_label const> labels) noexcept override;
  void retire(std::span<metric_label const> labels) noexcept override;

  /// What a name of the program's own means, for `# HELP`; Weir's are known. Before or after its first use.
  void describe(std::string_view name, std::string help);
  /// All of it, by name.
  std::string text() const;

private:
  enum class kind : std::uint8_t { counter, gauge, histogram };
  struct series {
    double value = 0;
    distribution measured;
  };
  struct family {
    kind type = kind::gauge;
    std::map<std::string, series, std::less<>> all;  // by labels, as they are written
  };
  series* find(std::string_view name, kind type, std::span<metric_label const> labels);
  template <class F> void change(std::string_view name, kind type, std::span<metric_label const> labels, F how) noexcept;
  void write(std::string& to, std::string_view short_name, family const& f) const;

  std::string const prefix_;
  std::size_t const most_series_;
  mutable std::mutex lock_;
  std::map<std::string, family, std::less<>> families_;  // by name as it is written, without the prefix
  std::map<std::string, std::string, std::less<>> help_;
  std::string name_, key_;  // of the series under way, kept for their memory
  std::uint64_t dropped_ = 0;
};

}  // namespace weir
