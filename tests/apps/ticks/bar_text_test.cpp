#include <bar_event.hpp>
#include <bar_table.hpp>

#include "support/catch.hpp"

using namespace ticks;

namespace {
keyed_bar example() {
  keyed_bar b;
  b.name = symbol::from("ETHUSDT").value();
  b.start = 1723161240000000000;
  auto const number = [](char const* text) { return decimal::parse(text).value(); };
  REQUIRE(b.state.value.add(trade_order{1, 1}, number("2683.80000000"), number("165.5")));
  REQUIRE(b.state.value.add(trade_order{2, 2}, number("2684.60000000"), number("0.00510000")));
  b.state.revision = 3;
  return b;
}
}  // namespace

TEST_CASE("a closed bar is one line of JSON with exact numbers as text") {
  auto const b = example();
  CHECK(closed_event(b.name, b.start, 60'000'000'000, b.state) ==
        R"({"event":"bar:closed","symbol":"ETHUSDT","window_start":1723161240000,"window_end":1723161300000,"open":"2683.80000000",)"
        R"("high":"2684.60000000","low":"2683.80000000","close":"2684.60000000","volume":"165.50510000","trades":2,"revision":3})");
}

// RFC 8259 section 7.
TEST_CASE("text becomes a JSON string") {
  CHECK(json_string("BRK\"B\\") == R"("BRK\"B\\")");
  CHECK(json_string(std::string_view("a\nb\0", 4)) == R"("a\u000ab\u0000")");
  CHECK(json_string("\xe2\x82\xac") == "\"\xe2\x82\xac\"");
}

TEST_CASE("the table of bars is aligned and has no blanks at the end of a line") {
  auto a = example();
  auto b = example();
  b.name = symbol::from("X").value();
  b.state.value.open = decimal(7, 0);
  std::vector<keyed_bar> const bars{a, b};
  CHECK(bar_table(bars) ==
        "symbol   window start (UTC)            open           high            low          close        volume  trades\n"
        "ETHUSDT  2024-08-08 23:54:00  2683.80000000  2684.60000000  2683.80000000  2684.60000000  165.50510000       2\n"
        "X        2024-08-08 23:54:00     7           2684.60000000  2683.80000000  2684.60000000  165.50510000       2\n");
}
