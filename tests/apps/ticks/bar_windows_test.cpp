// Bars in event time of real trades, out of order and delivered twice, against those that another engine computed from the same trades in
// order (data/README.md of the shared folder).
#include <bar_windows.hpp>
#include <decode_tick.hpp>
#include <tick_decoder.hpp>

#include "oracle.hpp"
#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <weir/file/source.hpp>
#include <weir/from.hpp>
#include <weir/operators/map.hpp>
#include <weir/testing/run.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ticks;
using namespace std::chrono_literals;

namespace {

std::string row(closed_bar const& b) {
  bar const& v = b.value;
  return std::string(b.key.view()) + "," + std::to_string(b.window.start / 1'000'000) + "," + v.open.text() + "," + v.high.text() + "," +
         v.low.text() + "," + v.close.text() + "," + v.volume.text() + "," + std::to_string(v.trades);
}

weir::task<std::vector<std::string>> rows_of(weir::stream<closed_bar> bars) {
  std::vector<std::string> rows;
  while (closed_bar* const b = co_await bars.next()) rows.push_back(row(*b));
  std::sort(rows.begin(), rows.end());
  co_return rows;
}

weir::task<std::vector<tick>> read_ticks(std::string file) {
  tick_decoder const decode{tick_fields(), weir::file::broken_line_policy()};
  weir::file::options from;
  from.paths = {file};
  from.format = weir::file::format::ndjson;
  from.fields = decode.selected();
  weir::file::source source(std::move(from));
  auto records = source.open(file, std::nullopt);
  std::vector<tick> all;
  while (weir::file::record* const r = co_await records.next()) all.push_back(decode(*r));
  co_return all;
}

bar_rules rules(std::chrono::nanoseconds window) { return bar_rules{window, 5s, 1min, 0s}; }

tick trade(std::int64_t ms, std::int64_t id) {
  return tick(symbol::from("A").value(), decimal::parse("1").value(), decimal::parse("2").value(), trade_order{ms * 1'000'000, id},
              weir::position(static_cast<std::uint64_t>(id)));
}

// Every trade up to 5 s behind others, every fiftieth delivered twice, up to 5 s apart.
std::vector<tick> disordered(std::vector<tick> const& ticks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::pair<std::int64_t, tick>> arrivals;
  auto const arrival = [&](tick const& t) { return t.time() + static_cast<std::int64_t>(random() % 5'000'000'000); };
  for (std::size_t i = 0; i != ticks.size(); ++i) {
    arrivals.emplace_back(arrival(ticks[i]), ticks[i]);
    if (i % 50 == 49) arrivals.emplace_back(arrival(ticks[i]), ticks[i]);
  }
  std::stable_sort(arrivals.begin(), arrivals.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<tick> out;
  out.reserve(arrivals.size());
  for (auto const& [at, t] : arrivals) out.push_back(t);
  return out;
}

}  // namespace

TEST_CASE("real trades that arrive up to 5 s out of order, every fiftieth twice, make exactly the bars of those in order") {
  auto const folder = weir::test::shared_data();
  if (!folder) {
    weir::test::skip("WEIR_SHARED names no folder with data");
    return;
  }
  for (std::string const day : {"binance-spot-20240808", "binance-spot-20240809"}) {
    auto const ticks = weir::testing::run(read_ticks((*folder / "ticks" / (day + ".ndjson.gz")).string()));
    REQUIRE(ticks.size() > 15'000);
    auto const minutes = ticks::test::answer((*folder / "ticks" / (day + ".bars-1m.csv")).string());
    auto const seconds = ticks::test::answer((*folder / "ticks" / (day + ".bars-1s.csv")).string());
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      CAPTURE(day, seed);
      bool const by_minute = seed % 2 == 0;
      bar_rules r = rules(by_minute ? 1min : std::chrono::nanoseconds(1s));
      r.max_ahead = 24h * 365;  // the simulated clock stands in the year before
      weir::ledger books;
      auto const rows = weir::testing::run(rows_of(in_windows(weir::from(disordered(ticks, seed), 1 + seed % 300), r, books)));
      REQUIRE(rows == (by_minute ? minutes : seconds));
      auto const counts = books.sum("bars");
      REQUIRE(counts.balanced());
      REQUIRE(counts.late == 0);
      REQUIRE(counts.duplicate == ticks.size() / 50);
      REQUIRE(counts.out == ticks.size());
    }
  }
}

//  arrival   0   59.9  64.9   65   59.5   66
//  watermark       54.9  59.9   60           61
//  minute 0  |--------------------| fires     59.5 is late
TEST_CASE("a tick whose bar has closed goes to the late ones and into no bar") {
  std::vector<std::string> late;
  bar_rules r = rules(1min);
  r.late = [&late](tick const& t, weir::lateness const& l) {
    late.push_back(std::to_string(t.order.id) + " for " + std::to_string(l.window.start / 1'000'000));
  };
  std::vector<tick> const ticks{trade(0, 1), trade(59'900, 2), trade(64'900, 3), trade(65'001, 4), trade(59'500, 5), trade(66'000, 6)};
  weir::ledger books;
  auto const rows = weir::testing::run(rows_of(in_windows(weir::from(ticks), r, books)));
  CHECK(rows == std::vector<std::string>{"A,0,1,1,1,1,4,2", "A,60000,1,1,1,1,6,3"});
  CHECK(late == std::vector<std::string>{"5 for 0"});
  CHECK(books.sum("bars").late == 1);
  CHECK(books.sum("bars").balanced());
}

TEST_CASE("where trades have no ids, equal ones are different trades") {
  bar_rules r = rules(1min);
  r.horizon = 0s;
  weir::ledger books;
  auto const rows = weir::testing::run(rows_of(in_windows(weir::from(std::vector<tick>(3, trade(5, 0))), r, books)));
  CHECK(rows == std::vector<std::string>{"A,0,1,1,1,1,6,3"});
}

TEST_CASE("a trade a year ahead is refused with its time, and so is one outside of all calendars") {
  weir::ledger books;
  auto const fails = [&](std::int64_t ms) {
    return weir::testing::run(rows_of(in_windows(weir::from(std::vector<tick>{trade(5, 1), trade(ms, 2)}), rules(1min), books)));
  };
  CHECK_THROWS_WITH(fails(1'735'689'600'000), Catch::Contains("2025-01-01") && Catch::Contains("ahead of the clock"));
  CHECK_THROWS_WITH(fails(9'000'000'000'000), Catch::Contains("cannot put a trade into a bar"));
}
