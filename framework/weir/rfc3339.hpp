#pragma once
#include <weir/instant.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

/// Why a text is not a time.
enum class rfc3339_fault : std::uint8_t {
  malformed,       ///< it is not of the form 2024-08-08T23:54:15.342Z
  no_such_date,    ///< it names a day that does not exist
  no_such_time,    ///< it names a time of day that does not exist
  no_such_offset,  ///< its offset from UTC has an hour above 23 or a minute above 59
  too_precise,     ///< it has more than nine digits of a second
  out_of_range,    ///< it is before 1677-09-21T00:12:43.145224192Z or after 2262-04-11T23:47:16.854775807Z
};

/// The sentence of a fault, to put behind the text: "is not of the form 2024-08-08T23:54:15.342Z".
std::string_view to_string(rfc3339_fault fault) noexcept;

/// `result::value()` throws `weir::error` with `errc::malformed`.
[[noreturn]] void throw_exception_from_error(rfc3339_fault fault, boost::source_location const& where);

/// Reads a time such as "1996-12-19T16:39:57-08:00" or "2024-08-08T23:54:15.342Z".
///
/// Every field is checked against the calendar. `t` and `z` may be small and the `T` a space; up to nine digits of a second. A leap second
/// is accepted where one can be (23:59:60 UTC at the end of a month) and read as the second behind it, as POSIX does. An
/// offset of -00:00 (unknown local time) is UTC.
/// Source: RFC 3339, section 5.6, and section 5.7 for the ranges.
boost::system::result<instant, rfc3339_fault> parse_rfc3339(std::string_view text) noexcept;

/// Writes `t` in UTC, exactly: with 0, 3, 6 or 9 digits of a second, as few as suffice. `parse_rfc3339` reads it back to `t`.
std::string format_rfc3339(instant t);
/// Writes `t` in UTC with so many digits of a second (0 to 9); what they cannot show is cut off downwards. Texts of the same `digits`
/// sort like their times.
std::string format_rfc3339(instant t, int digits);

}  // namespace weir
