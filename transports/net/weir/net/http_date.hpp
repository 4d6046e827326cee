#pragma once
#include <weir/instant.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace weir::net {

/// Reads a time as HTTP writes it, in any of its three forms: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
/// "Sun Nov  6 08:49:37 1994". Empty when it is none of them, or names a day or time that does not exist; that the weekday is the right
/// one is not looked at. A year of two digits that would be more than 50 years after `now` is one of the century before. A leap second is
/// read as the second behind it.
/// Source: RFC 9110, section 5.6.7.
std::optional<instant> parse_http_date(std::string_view text, instant now) noexcept;
/// Writes a time in the first of these forms, to the second, cut off downwards. Source: RFC 9110, section 5.6.7.
std::string http_date(instant t);

}  // namespace weir::net
