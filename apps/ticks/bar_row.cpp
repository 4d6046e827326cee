#include "bar_row.hpp"

#include "bar_schema.hpp"

#include <weir/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

namespace ticks {
namespace {

[[noreturn]] void damaged(std::string const& place, std::string_view what, std::string_view text) {
  throw weir::error(weir::errc::corrupt, fmt::format("bars: cannot use {}", place),
                    fmt::format("a row has the {} \"{}\": changed by hand, or damaged", what, text),
                    "restore it from a copy, or start anew without it");
}

decimal read_decimal(std::string const& text, std::string const& place) {
  auto const parsed = decimal::parse(text);
  if (!parsed) damaged(place, "number", text);
  return *parsed;
}

symbol read_symbol(std::string const& text, std::string const& place) {
  auto const name = symbol::from(text);
  if (!name) damaged(place, "symbol", text);
  return *name;
}

// Columns from `first` on: open, high, low, close, volume, trades.
bar read_values(std::vector<std::string> const& row, std::size_t first, std::string const& place) {
  bar b;
  b.open = read_decimal(row[first], place);
  b.high = read_decimal(row[first + 1], place);
  b.low = read_decimal(row[first + 2], place);
  b.close = read_decimal(row[first + 3], place);
  b.volume = read_decimal(row[first + 4], place);
  b.trades = static_cast<std::uint64_t>(read_number(row[first + 5], place));
  return b;
}

std::vector<results::value> key_values(bar_change const& b) {
  std::vector<results::value> values;
  values.emplace_back(std::string(b.name.view()));
  values.emplace_back(b.window.start / millisecond);
  return values;
}

void add_values(std::vector<results::value>& to, bar const& b) {
  for (decimal const* const d : {&b.open, &b.high, &b.low, &b.close, &b.volume}) to.emplace_back(d->text());
  to.emplace_back(static_cast<std::int64_t>(b.trades));
}

}  // namespace

std::int64_t read_number(std::string const& text, std::string const& place) {
  std::int64_t n = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc() || end != text.data() + text.size()) damaged(place, "number", text);
  return n;
}

keyed_bar read_bar(std::vector<std::string> const& row, std::string const& place) {
  return {{read_symbol(row[0], place), read_number(row[1], place) * millisecond}, read_values(row, 2, place)};
}

bar_part read_part(std::vector<std::string> const& row, std::string const& place) {
  auto const number = [&](std::size_t column) { return read_number(row[column], place); };
  bar_part p;
  p.source = number(0);
  p.value = read_values(row, 1, place);
  p.value.first = trade_order{number(7), number(8)};
  p.value.last = trade_order{number(9), number(10)};
  p.revision = number(11);
  p.open = number(12) != 0;
  return p;
}

results::statement write_bar(bar_change const& b) {
  auto values = key_values(b);
  add_values(values, b.value);
  return {upsert_bar, std::move(values)};
}

results::statement write_part(bar_change const& b) {
  bar_part const& part = b.part;
  auto values = key_values(b);
  values.emplace_back(part.source);
  add_values(values, part.value);
  for (std::int64_t const n :
       {part.value.first.time, part.value.first.id, part.value.last.time, part.value.last.id, part.revision, std::int64_t{part.open}})
    values.emplace_back(n);
  return {upsert_part, std::move(values)};
}

}  // namespace ticks
