#include "function_options.hpp"

#include <weir/error.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace ticks {
namespace {

constexpr std::int64_t longest = 630'720'000'000'000'000;  // 20 years of 365 days, as windows have it

[[noreturn]] void refuse(char const* variable, std::string const& text, std::string_view advice) {
  throw weir::error(weir::errc::invalid_option, "ticks: cannot start", fmt::format("{} is \"{}\"", variable, text),
                    fmt::format("give it {}, or take it away", advice));
}

void read(weir::aws::variables const& from, char const* variable, std::string& into) {
  if (auto given = from(variable)) into = std::move(*given);
}

void read(weir::aws::variables const& from, char const* variable, std::chrono::nanoseconds& into, std::int64_t least) {
  auto const given = from(variable);
  if (!given) return;
  auto const parsed = command_line::parse_duration(*given);
  if (!parsed || *parsed < least || *parsed > longest)
    refuse(variable, *given, fmt::format("a duration such as 1m, from {} to 20 years", command_line::duration_text(least)));
  into = std::chrono::nanoseconds(*parsed);
}

void read(weir::aws::variables const& from, char const* variable, command_line::time_unit& into) {
  using command_line::time_unit;
  constexpr std::array<std::pair<std::string_view, time_unit>, 5> units{{{"s", time_unit::seconds},
                                                                         {"ms", time_unit::milliseconds},
                                                                         {"us", time_unit::microseconds},
                                                                         {"ns", time_unit::nanoseconds},
                                                                         {"rfc3339", time_unit::rfc3339}}};
  auto const given = from(variable);
  if (!given) return;
  for (auto const& [word, unit] : units) {
    if (word != *given) continue;
    into = unit;
    return;
  }
  refuse(variable, *given, "one of s, ms, us, ns and rfc3339");
}

}  // namespace

function_options read_options(weir::aws::variables const& from) {
  function_options o;
  read(from, "TICKS_BARS_TABLE", o.bars);
  read(from, "TICKS_CHECKPOINT_TABLE", o.checkpoints);
  read(from, "TICKS_WINDOW", o.window, 1'000'000);
  read(from, "TICKS_BOUND", o.bound, 0);
  read(from, "TICKS_DEDUP", o.dedup, 0);
  read(from, "TICKS_FIELD_SYMBOL", o.fields.symbol);
  read(from, "TICKS_FIELD_PRICE", o.fields.price);
  read(from, "TICKS_FIELD_SIZE", o.fields.size);
  read(from, "TICKS_FIELD_TRADE_ID", o.fields.trade_id);
  if (o.fields.trade_id == "-") o.fields.trade_id.clear();
  read(from, "TICKS_FIELD_TIME", o.fields.time);
  read(from, "TICKS_TIME_UNIT", o.fields.unit);
  return o;
}

}  // namespace ticks
