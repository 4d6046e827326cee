#include <bar.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <vector>

using namespace ticks;

namespace {
struct trade {
  trade_order order;
  char const* price;
  char const* size;
};
// By hand: opens with id 2 at time 10, closes with id 9 at time 30.
std::vector<trade> const trades{{{20, 5}, "101.50", "1.5"},  {{10, 2}, "100.00", "2"}, {{30, 8}, "99.25", "0.25"},
                                {{30, 9}, "100.75", "1.00"}, {{10, 3}, "102.00", "3"}, {{15, 4}, "98.5", "0.125"}};

bar fold(std::vector<trade> const& in) {
  bar b;
  for (auto const& t : in) REQUIRE(b.add(t.order, decimal::parse(t.price).value(), decimal::parse(t.size).value()));
  return b;
}
void check_hand_computed(bar const& b) {
  CHECK(b.open.text() == "100.00");
  CHECK(b.high.text() == "102.00");
  CHECK(b.low.text() == "98.5");
  CHECK(b.close.text() == "100.75");
  CHECK(b.volume.text() == "7.875");
  CHECK(b.trades == 6);
}
}  // namespace

TEST_CASE("a bar has the open, high, low, close, volume and count of its trades") { check_hand_computed(fold(trades)); }

TEST_CASE("trades fold to the same bar in every order of arrival") {
  std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
  do {
    std::vector<trade> shuffled;
    for (auto const i : order) shuffled.push_back(trades[i]);
    check_hand_computed(fold(shuffled));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("bars of different trades merge to the bar of all of them") {
  for (std::size_t cut = 0; cut <= trades.size(); ++cut) {
    auto left = fold({trades.begin(), trades.begin() + static_cast<std::ptrdiff_t>(cut)});
    auto right = fold({trades.begin() + static_cast<std::ptrdiff_t>(cut), trades.end()});
    REQUIRE(left.merge(right));
    check_hand_computed(left);
  }
}

TEST_CASE("among trades of equal order the first to arrive opens and the last to arrive closes") {
  auto const b = fold({{{10, 0}, "5", "1"}, {{10, 0}, "6", "1"}, {{10, 0}, "7", "1"}});
  CHECK(b.open.text() == "5");
  CHECK(b.close.text() == "7");
}

TEST_CASE("a volume that does not fit is reported and leaves the bar as it was") {
  auto b = fold({{{1, 1}, "1", "99999999999999999999999999999999999999"}});
  auto const before = b;
  CHECK_FALSE(b.add({2, 2}, decimal(1, 0), decimal(1, 0)));
  CHECK(b == before);
  CHECK_FALSE(b.merge(before));
  CHECK(b == before);
}
