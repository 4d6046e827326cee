#include <bar_event.hpp>
#include <bar_table.hpp>

#include "support/catch.hpp"

using namespace ticks;

namespace {
keyed_bar example() {
  keyed_bar b;
  b.key = bar_key{symbol::from("ETHUSDT").value(), 1723161240000000000};
  auto const number = [](char const* text) { return decimal::parse(text).value(); };
  REQUIRE(b.value.add(trade_order{1, 1}, number("2683.80000000"), number("165.5")));
  REQUIRE(b.value.add(trade_order{2, 2}, number("2684.60000000"), number("0.00510000")));
  return b;
}
}  // namespace

TEST_CASE("a closed bar is one line of JSON with exact numbers as text") {
  auto const b = example();
  CHECK(closed_event(bar_change{b.key.name, weir::time_window(b.key.start, b.key.start + 60'000'000'000), b.value, 3, {}}) ==
        R"({"event":"bar:closed","symbol":"ETHUSDT","window_start":1723161240000,"window_end":1723161300000,"open":"2683.80000000",)"
        R"("high":"2684.60000000","low":"2683.80000000","close":"2684.60000000","volume":"165.50510000","trades":2,"revision":3})");
}

TEST_CASE("a late tick is one line of JSON, its time in milliseconds as exact as it is") {
  tick t(symbol::from("A").value(), decimal::parse("10.50").value(), decimal::parse("2").value(), trade_order{59'500'000'000, 7},
         weir::position(3));
  weir::time_window const window(0, 60'000'000'000);
  CHECK(late_event(t, window) ==
        R"({"event":"tick:late","symbol":"A","trade_id":7,"price":"10.50","size":"2","time":59500,"window_start":0,"window_end":60000})");
  t.order.time = -1'500'000;
  CHECK_THAT(late_event(t, window), Catch::Contains(R"("time":-1.500000,)"));
}

TEST_CASE("the table of bars is aligned and has no blanks at the end of a line") {
  auto a = example();
  auto b = example();
  b.key.name = symbol::from("X").value();
  b.value.open = decimal(7, 0);
  std::vector<keyed_bar> const bars{a, b};
  CHECK(bar_table(bars) ==
        "symbol   window start (UTC)            open           high            low          close        volume  trades\n"
        "ETHUSDT  2024-08-08 23:54:00  2683.80000000  2684.60000000  2683.80000000  2684.60000000  165.50510000       2\n"
        "X        2024-08-08 23:54:00     7           2684.60000000  2683.80000000  2684.60000000  165.50510000       2\n");
}
