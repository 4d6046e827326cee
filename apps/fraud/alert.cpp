#include "alert.hpp"

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <chrono>

namespace fraud {
namespace {

std::int64_t milliseconds(weir::instant t) { return weir::floor_to(t, std::chrono::milliseconds(1)) / 1'000'000; }

std::string place_text(place const& p) { return fmt::format(R"({{"latitude":{},"longitude":{}}})", p.latitude, p.longitude); }

std::string text_of(failed_logins const& a) {
  return fmt::format(R"({{"alert":"failed_logins","account":{},"first":{},"last":{},"failures":{}}})", command_line::json_string(a.account),
                     milliseconds(a.first), milliseconds(a.last), a.failures);
}

std::string text_of(impossible_travel const& a) {
  double const km = distance_km(a.from, a.to);
  double const hours = static_cast<double>(a.arrived - a.left) / 3.6e12;
  return fmt::format(
      R"({{"alert":"impossible_travel","account":{},"left":{},"arrived":{},"from":{},"to":{},"km":{:.0f},"km_per_hour":{}}})",
      command_line::json_string(a.account), milliseconds(a.left), milliseconds(a.arrived), place_text(a.from), place_text(a.to), km,
      a.arrived == a.left ? std::string("null") : fmt::format("{:.0f}", km / hours));
}

}  // namespace

std::string alert_text(alert const& a) {
  return std::visit([](auto const& one) { return text_of(one); }, a);
}

}  // namespace fraud
