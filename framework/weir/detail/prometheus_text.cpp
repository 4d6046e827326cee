#include <weir/detail/prometheus_text.hpp>

#include <weir/detail/valid_utf8.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace weir::detail {
namespace {

void append_name(std::string& to, std::string_view name, std::string_view also) {
  bool first = true;
  for (char const c : name) {
    bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || also.find(c) != std::string_view::npos;
    bool const digit = c >= '0' && c <= '9';
    if (first && digit) to += '_';
    to += letter || digit ? c : '_';
    first = false;
  }
  if (first) to += '_';
}

// Which have a meaning in a label's value.
void append_value(std::string& to, std::string_view value) {
  std::string const text = valid_utf8(value);
  for (char const c : text) {
    if (c == '\\' || c == '"') (to += '\\') += c;
    else if (c == '\n') to += "\\n";
    else to += c;
  }
}

constexpr std::array helps{
    std::pair(metric::lag_records, std::string_view("Records that are there and were not read yet.")),
    std::pair(metric::millis_behind_latest, std::string_view("How old what was read last was, in milliseconds, as the service says.")),
    std::pair(metric::watermark, std::string_view("Event time of the partition, in seconds since the epoch.")),
    std::pair(metric::watermark_holdback_seconds, std::string_view("How far its event time is behind the pipeline's furthest partition.")),
    std::pair(metric::idle, std::string_view("1 where the source was asked and had nothing.")),
    std::pair(metric::checkpoint_age_seconds, std::string_view("Time since the last checkpoint, while there is something to commit.")),
    std::pair(metric::frontier_gap, std::string_view("Records that a crash would repeat.")),
    std::pair(metric::open_windows, std::string_view("Windows that have elements and did not fire.")),
    std::pair(metric::state_bytes, std::string_view("Memory of an operator's state.")),
    std::pair(metric::waiting_bytes, std::string_view("Memory of what waits to be committed or delivered.")),
    std::pair(metric::stall_seconds, std::string_view("How long nothing has moved while there was work.")),
    std::pair(metric::records_total, std::string_view("Records that were handed to the handler.")),
    std::pair(metric::late_total, std::string_view("Elements behind the watermark.")),
    std::pair(metric::duplicate_total, std::string_view("Elements that were seen before.")),
    std::pair(metric::dead_letter_total, std::string_view("Elements that were set aside.")),
    std::pair(metric::lease_changes_total, std::string_view("Partitions that this worker has gained or lost.")),
    std::pair(metric::handler_chunk_seconds, std::string_view("Time the handler took for a chunk of records.")),
    std::pair(metric::commit_seconds, std::string_view("Time a checkpoint took to be committed.")),
    std::pair(metric::event_latency_seconds, std::string_view("From the newest event's time to the commit behind it.")),
    std::pair(std::string_view("metrics_dropped_total"), std::string_view("Figures that were left out, for too many sets of labels.")),
};

}  // namespace

void append_metric_name(std::string& to, std::string_view name) { append_name(to, name, ":"); }

void append_labels(std::string& to, std::span<metric_label const> labels) {
  bool first = true;
  for (metric_label const& l : labels) {
    if (!std::exchange(first, false)) to += ',';
    append_name(to, l.name, "");
    to += "=\"";
    append_value(to, l.value);
    to += '"';
  }
}

void append_figure(std::string& to, double value) {
  constexpr double exact = 1e15;  // whole numbers up to here have all their digits
  std::array<char, 32> text{};
  char* const begin = text.data();
  char* const end = begin + text.size();
  if (std::isnan(value)) to += "NaN";
  else if (std::isinf(value)) to += value > 0 ? "+Inf" : "-Inf";
  else if (std::abs(value) < exact && std::trunc(value) == value) to += std::to_string(static_cast<std::int64_t>(value));
  else to.append(begin, std::to_chars(begin, end, value, std::chars_format::general).ptr);
}

void append_help(std::string& to, std::string_view text) {
  for (char const c : text) {
    if (c == '\\') to += "\\\\";
    else if (c == '\n') to += "\\n";
    else to += c;
  }
}

std::string_view help_of(std::string_view name) noexcept {
  for (auto const& [known, text] : helps)
    if (known == name) return text;
  return "";
}

}  // namespace weir::detail
