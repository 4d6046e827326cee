#include <live_bars.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace ticks;

namespace {

constexpr std::int64_t minute = 60'000'000'000;

tick trade(char const* name, std::int64_t seconds, std::int64_t cents, std::int64_t id) {
  trade_order order;
  order.time = seconds * 1'000'000'000;
  order.id = id;
  return {*symbol::from(name), decimal(cents, 2), decimal(1, 0), order, weir::position(static_cast<std::uint64_t>(id))};
}

}  // namespace

TEST_CASE("bars are shown as they form, and one that a later trade changes is marked") {
  live_bars bars(minute);
  std::vector<tick> const first{trade("A", 0, 1000, 1), trade("A", 30, 1200, 2), trade("B", 31, 500, 3), trade("A", 59, 900, 4)};
  bars.add(first);
  CHECK(
      bars.json("A") ==
      R"({"ticks":4,"time":59000,"window":60000,"symbol":"A","bars":[{"start":0,"open":10.00,"high":12.00,"low":9.00,"close":9.00,)"
      R"("volume":3,"trades":3,"revised":false}],"symbols":[{"symbol":"A","trades":3,"close":9.00},{"symbol":"B","trades":1,"close":5.00}]})");
  std::vector<tick> const more{trade("A", 60, 950, 5), trade("A", 58, 1300, 6)};
  bars.add(more);
  std::string const now = bars.json("A");
  CHECK(now.find(R"({"start":0,"open":10.00,"high":13.00,"low":9.00,"close":9.00,"volume":4,"trades":4,"revised":true})") != now.npos);
  CHECK(now.find(R"({"start":60000,"open":9.50,"high":9.50,"low":9.50,"close":9.50,"volume":1,"trades":1,"revised":false}])") != now.npos);
  CHECK(bars.json("A", 1).find(R"("bars":[{"start":60000)") != std::string::npos);
  CHECK(bars.json("nothing").find(R"("symbol":"A","bars":[)") != std::string::npos);  // the one with most trades
  CHECK(live_bars(minute).json("\"") == R"({"ticks":0,"time":0,"window":60000,"symbol":"\"","bars":[],"symbols":[]})");
}

TEST_CASE("what is shown is bounded: the newest bars of the symbols that come first") {
  live_bars bars(minute);
  std::vector<tick> all;
  for (std::int64_t i = 0; i != 300; ++i) all.push_back(trade("A", i * 60, 100 + i, i));
  all.push_back(trade("A", 0, 1, 300));
  for (int i = 0; i != 300; ++i) all.push_back(trade(("S" + std::to_string(i)).c_str(), 0, 100, 301 + i));
  bars.add(all);
  std::string const now = bars.json("A");
  CHECK(now.find(R"("bars":[{"start":3600000,)") != now.npos);
  CHECK(now.find(R"("symbol":"A","trades":301)") != now.npos);
  CHECK(bars.json("S198").find(R"("symbol":"S198","bars":[{)") != std::string::npos);
  CHECK(bars.json("S199").find(R"("symbol":"A","bars":[{)") != std::string::npos);
}
