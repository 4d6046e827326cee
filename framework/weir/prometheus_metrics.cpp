#include <weir/prometheus_metrics.hpp>

#include <weir/detail/prometheus_text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace weir {

prometheus_metrics::prometheus_metrics(std::string prefix, std::size_t most_series)
    : prefix_(std::move(prefix)), most_series_(std::max<std::size_t>(most_series, 1)) {}

// Null: there is no room for it.
prometheus_metrics::series* prometheus_metrics::find(std::string_view name, kind type, std::span<metric_label const> labels) {
  name_.clear();
  detail::append_metric_name(name_, name);
  auto f = families_.find(name_);
  if (f == families_.end()) {
    f = families_.emplace(name_, family()).first;
    f->second.type = type;
  }
  if (f->second.type != type) return nullptr;
  key_.clear();
  detail::append_labels(key_, labels);
  auto& all = f->second.all;
  auto const found = all.find(key_);
  if (found != all.end()) return &found->second;
  return all.size() < most_series_ ? &all.emplace(key_, series()).first->second : nullptr;
}

template <class F>
void prometheus_metrics::change(std::string_view name, kind type, std::span<metric_label const> labels, F how) noexcept {
  try {
    std::lock_guard const held(lock_);
    if (series* const s = find(name, type, labels)) how(*s);
    else ++dropped_;
  } catch (...) {
    return;  // no memory for it: figures do not stop the work they are about
  }
}

void prometheus_metrics::add(std::string_view name, double n, std::span<metric_label const> labels) noexcept {
  change(name, kind::counter, labels, [n](series& s) { s.value += n; });
}

void prometheus_metrics::set(std::string_view name, double value, std::span<metric_label const> labels) noexcept {
  change(name, kind::gauge, labels, [value](series& s) { s.value = value; });
}

void prometheus_metrics::observe(std::string_view name, distribution const& more, std::span<metric_label const> labels) noexcept {
  change(name, kind::histogram, labels, [&more](series& s) { s.measured += more; });
}

void prometheus_metrics::retire(std::span<metric_label const> labels) noexcept {
  try {
    std::vector<std::string> each;
    for (metric_label const& l : labels) {
      each.emplace_back();
      detail::append_labels(each.back(), std::span(&l, 1));
    }
    auto const has = [](std::string_view all, std::string_view one) {  // a quote inside a value is escaped
      std::size_t const at = all.find(one);
      return at != std::string_view::npos && (at == 0 || all[at - 1] == ',');
    };
    std::lock_guard const held(lock_);
    for (auto& [name, f] : families_) {
      if (f.type != kind::gauge) continue;
      std::erase_if(f.all, [&](auto const& s) { return std::ranges::all_of(each, [&](auto const& one) { return has(s.first, one); }); });
    }
  } catch (...) {
    return;  // no memory: they stay
  }
}

void prometheus_metrics::describe(std::string_view name, std::string help) {
  std::lock_guard const held(lock_);
  std::string written;
  detail::append_metric_name(written, name);
  help_.insert_or_assign(std::move(written), std::move(help));
}

void prometheus_metrics::write(std::string& to, std::string_view short_name, family const& f) const {
  static constexpr std::array names{"counter", "gauge", "histogram"};
  std::string name;
  detail::append_metric_name(name, prefix_ + std::string(short_name));
  auto const own = help_.find(short_name);
  std::string_view const help = own != help_.end() ? std::string_view(own->second) : detail::help_of(short_name);
  to += "# HELP " + name + " ";
  detail::append_help(to, help.empty() ? "Of the program." : help);
  to += "\n# TYPE " + name + " " + names[static_cast<std::size_t>(f.type)] + "\n";
  auto const line = [&to, &name](std::string_view suffix, std::string_view labels, std::string_view more, double value) {
    (to += name) += suffix;
    if (!labels.empty() || !more.empty()) {
      (to += '{') += labels;
      if (!labels.empty() && !more.empty()) to += ',';
      (to += more) += '}';
    }
    to += ' ';
    detail::append_figure(to, value);
    to += '\n';
  };
  for (auto const& [labels, s] : f.all) {
    if (f.type != kind::histogram) {
      line("", labels, "", s.value);
      continue;
    }
    std::uint64_t up_to = 0;
    std::string bound;
    for (std::size_t i = 0; i <= distribution::bounds.size(); ++i) {
      up_to += s.measured.count(i);
      bound = "le=\"";
      if (i == distribution::bounds.size()) bound += "+Inf";
      else detail::append_figure(bound, distribution::bounds[i]);
      bound += '"';
      line("_bucket", labels, bound, static_cast<double>(up_to));
    }
    line("_sum", labels, "", s.measured.sum());
    line("_count", labels, "", static_cast<double>(up_to));
  }
}

std::string prometheus_metrics::text() const {
  std::string out;
  std::lock_guard const held(lock_);
  family dropped;
  dropped.type = kind::counter;
  dropped.all[""].value = static_cast<double>(dropped_);
  write(out, "metrics_dropped_total", dropped);
  for (auto const& [name, f] : families_)
    if (!f.all.empty()) write(out, name, f);
  return out;
}

}  // namespace weir
