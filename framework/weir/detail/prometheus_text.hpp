#pragma once
#include <weir/metrics.hpp>

#include <span>
#include <string>
#include <string_view>

// The parts of Prometheus' text format 0.0.4.
namespace weir::detail {

// With `_` for each character that names cannot have; label names may have no colon.
void append_metric_name(std::string& to, std::string_view name);
// `a="x",b="y"`, without braces.
void append_labels(std::string& to, std::span<metric_label const> labels);
// The shortest text that reads back as the same number; "+Inf", "-Inf", "NaN".
void append_figure(std::string& to, double value);
// Of a `# HELP` line.
void append_help(std::string& to, std::string_view text);
// What Weir's own names mean; empty for others.
std::string_view help_of(std::string_view name) noexcept;

}  // namespace weir::detail
