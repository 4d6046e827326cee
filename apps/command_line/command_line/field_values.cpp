#include "field_values.hpp"

#include "json_text.hpp"
#include "time_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace command_line {

using weir::file::field_kind;
using weir::file::field_text;

std::string describe(field_fault const& fault, std::string_view name, field_text const& value) {
  return fmt::format("field {} is \"{}\", but should be {}", json_string(name), shown(value.text()), fault.expected);
}

std::optional<weir::instant> time_value(field_text const& value) noexcept {
  auto const unit = value.kind() == field_kind::number ? time_unit::milliseconds : time_unit::rfc3339;
  auto const time = parse_time(value.text(), unit);
  if (!time || *time < earliest_event_time || *time > latest_event_time) return std::nullopt;
  return time;
}

std::optional<double> number_value(field_text const& value, double least, double most) noexcept {
  auto const text = value.text();
  double number = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  bool const good = failure == std::errc() && end == text.data() + text.size() && number >= least && number <= most;  // not for nan
  return good ? std::optional<double>(number) : std::nullopt;
}

std::optional<bool> truth_value(field_text const& value) noexcept {
  if (value.kind() != field_kind::boolean) return std::nullopt;
  return value.text() == "true";
}

std::optional<std::string_view> name_value(field_text const& value) noexcept {
  bool const named = value.kind() == field_kind::string || value.kind() == field_kind::number;
  if (!named || value.text().empty() || value.text().size() > name_size || !is_plain_text(value.text())) return std::nullopt;
  return value.text();
}

}  // namespace command_line
