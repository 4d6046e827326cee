#include <weir/testing/recording_metrics.hpp>

namespace weir::testing {

void recording_metrics::add(std::string_view name, double n, std::span<metric_label const> labels) noexcept {
  std::lock_guard const held(lock_);
  values_[full_name(name, labels)] += n;
}

void recording_metrics::set(std::string_view name, double value, std::span<metric_label const> labels) noexcept {
  std::lock_guard const held(lock_);
  values_[full_name(name, labels)] = value;
}

void recording_metrics::observe(std::string_view name, distribution const& more, std::span<metric_label const> labels) noexcept {
  std::lock_guard const held(lock_);
  distributions_[full_name(name, labels)] += more;
}

std::optional<double> recording_metrics::value(std::string_view name) const {
  std::lock_guard const held(lock_);
  auto const found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

distribution recording_metrics::observed(std::string_view name) const {
  std::lock_guard const held(lock_);
  auto const found = distributions_.find(name);
  return found == distributions_.end() ? distribution() : found->second;
}

std::map<std::string, double, std::less<>> recording_metrics::all() const {
  std::lock_guard const held(lock_);
  return values_;
}

std::string recording_metrics::full_name(std::string_view name, std::span<metric_label const> labels) {
  std::string out(name);
  char before = '{';
  for (auto const& label : labels) {
    (((out += before) += label.name) += "=\"") += label.value;
    out += '"';
    before = ',';
  }
  if (!labels.empty()) out += '}';
  return out;
}

}  // namespace weir::testing
