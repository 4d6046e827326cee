#pragma once

#include <weir/file/field_text.hpp>
#include <weir/instant.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace command_line {

/// The value of a field of a record is not what it should be.
struct field_fault {
  std::size_t field = 0;      ///< its place among the selected ones
  std::string_view expected;  ///< what it should have been, for people: "true or false"
};

/// One sentence for people: the name of the field, its value, what it should be.
std::string describe(field_fault const& fault, std::string_view name, weir::file::field_text const& value);

/// An event time: a whole number of ms since the epoch, or RFC 3339 as text; between `earliest_event_time` and `latest_event_time`.
std::optional<weir::instant> time_value(weir::file::field_text const& value) noexcept;
inline constexpr std::string_view time_expected = "a time: ms since 1970 as a number, or RFC 3339 as text, in the years 1680 to 2260";

/// A decimal number between `least` and `most`, as number or text.
std::optional<double> number_value(weir::file::field_text const& value, double least, double most) noexcept;

/// True or false.
std::optional<bool> truth_value(weir::file::field_text const& value) noexcept;
inline constexpr std::string_view truth_expected = "true or false";

/// The name or id of something: number or text of 1 to `name_size` bytes of UTF-8 without control characters. A view of `value`'s text.
std::optional<std::string_view> name_value(weir::file::field_text const& value) noexcept;
inline constexpr std::size_t name_size = 200;
inline constexpr std::string_view name_expected = "a name of 1 to 200 bytes of plain UTF-8 text";

}  // namespace command_line
