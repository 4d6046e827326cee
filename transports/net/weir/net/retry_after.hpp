#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace weir::net {

/// How long the value of a Retry-After header asks to wait from `now` on, in either of its forms: seconds ("120"), or a date. Never
/// negative; what does not fit is the longest duration. Empty when it is neither.
/// Source: RFC 9110, section 10.2.3.
std::optional<std::chrono::nanoseconds> parse_retry_after(std::string_view value, instant now) noexcept;

}  // namespace weir::net
