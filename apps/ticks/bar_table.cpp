#include "bar_table.hpp"

#include <command_line/time_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ticks {
namespace {

constexpr std::size_t columns = 8;
using row = std::array<std::string, columns>;

// Pads behind the number until all in the column have as many characters from the point on.
void align_points(std::vector<row>& rows, std::size_t column) {
  auto const tail = [column](row const& r) {
    auto const point = r[column].find('.');
    return point == std::string::npos ? 0 : r[column].size() - point;
  };
  std::size_t longest = 0;
  for (auto const& r : rows) longest = std::max(longest, tail(r));
  for (auto& r : rows) r[column].append(longest - tail(r), ' ');
}

}  // namespace

std::string bar_table(std::span<keyed_bar const> bars) {
  std::vector<row> rows;
  for (auto const& b : bars) {
    bar const& v = b.value;
    rows.push_back({std::string(b.key.name.view()), command_line::time_text(b.key.start), v.open.text(), v.high.text(), v.low.text(),
                    v.close.text(), v.volume.text(), fmt::format("{}", v.trades)});
  }
  for (std::size_t column = 2; column != columns - 1; ++column) align_points(rows, column);
  rows.insert(rows.begin(), {"symbol", "window start (UTC)", "open", "high", "low", "close", "volume", "trades"});

  std::array<std::size_t, columns> width{};
  for (auto const& r : rows)
    for (std::size_t column = 0; column != columns; ++column) width[column] = std::max(width[column], r[column].size());
  std::string out;
  for (auto const& r : rows) {
    for (std::size_t column = 0; column != columns; ++column)
      out += column < 2 ? fmt::format("{:<{}}  ", r[column], width[column]) : fmt::format("{:>{}}  ", r[column], width[column]);
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

}  // namespace ticks
