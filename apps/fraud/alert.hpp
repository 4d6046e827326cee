#pragma once

#include "place.hpp"

#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <variant>

namespace fraud {

/// Too many failed logins of an account, from the first to the last of them.
struct failed_logins {
  std::string account;
  weir::instant first = 0, last = 0;
  std::uint32_t failures = 0;
  friend bool operator==(failed_logins const&, failed_logins const&) = default;
};

/// Two successful logins to an account, one after the other, which nobody could have made who had to travel between the two places.
struct impossible_travel {
  std::string account;
  weir::instant left = 0, arrived = 0;
  place from, to;
  friend bool operator==(impossible_travel const&, impossible_travel const&) = default;
};

/// What the program tells.
using alert = std::variant<failed_logins, impossible_travel>;

/// The line of JSON for an alert, without the line's end:
/// `{"alert":"failed_logins","account":"a17","first":1735828200000,"last":1735828260000,"failures":3}` or
/// `{"alert":"impossible_travel","account":"a17","left":...,"arrived":...,"from":{"latitude":52.52,"longitude":13.405},"to":{...},"km":877,"km_per_hour":1755}`.
///
/// Times in ms since the epoch, UTC; km and speed are rounded, the speed is null where no time passed at all.
std::string alert_text(alert const& a);

/// What every line of an alert begins with.
inline constexpr char const* alert_beginning = R"({"alert":)";

}  // namespace fraud
