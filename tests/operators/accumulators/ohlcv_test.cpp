#include <weir/operators/accumulators/ohlcv.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <limits>
#include <string>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

struct tick {
  double price;
  std::int32_t size;
  std::int64_t id;
};
ohlcv const by_arrival(&tick::price, &tick::size);
ohlcv const by_id(&tick::price, &tick::size, &tick::id);
using bar = ohlcv_bar<double, std::int64_t>;

// A decimal with the digits it came with, as 1.0 and 1.00, and its own codec.
class exact {
public:
  exact() = default;
  exact(std::int64_t unscaled, int digits) : unscaled_(unscaled), digits_(digits) {}
  exact(exact const& o) : unscaled_(o.unscaled_), digits_(o.digits_) {}
  exact& operator=(exact const&) = default;
  exact& operator+=(exact const& o) {
    int const digits = std::max(digits_, o.digits_);
    unscaled_ = scaled(digits) + o.scaled(digits);
    digits_ = digits;
    return *this;
  }
  bool operator<(exact const& o) const { return scaled(9) < o.scaled(9); }
  bool operator==(exact const&) const = default;
  std::int64_t unscaled() const { return unscaled_; }
  int digits() const { return digits_; }

private:
  std::int64_t scaled(int digits) const {
    std::int64_t n = unscaled_;
    for (int i = digits_; i < digits; ++i) n *= 10;
    return n;
  }
  std::int64_t unscaled_ = 0;
  int digits_ = 0;
};

// Trades sorted by time, key and arrival: what comes first opens, what comes last closes.
template <class Key> bar naive(std::vector<stamped<tick>> const& trades, Key key) {
  std::vector<std::tuple<instant, std::int64_t, std::size_t>> order;
  bar b;
  b.low = std::numeric_limits<double>::infinity();
  for (auto const& [at, trade] : trades) {
    order.emplace_back(at, std::invoke(key, trade), order.size());
    b.high = std::max(b.high, trade.price);
    b.low = std::min(b.low, trade.price);
    b.volume += trade.size;
    ++b.trades;
  }
  std::sort(order.begin(), order.end());
  auto const [first_time, first_key, first] = order.front();
  auto const [last_time, last_key, last] = order.back();
  b.open = trades[first].value.price;
  b.close = trades[last].value.price;
  b.first_time = first_time;
  b.last_time = last_time;
  return b;
}
int no_key_of(tick const&) { return 0; }

// Many trades of one time, negative times among them.
std::vector<stamped<tick>> random_trades(std::uint64_t seed, std::size_t n, std::uint64_t times) {
  std::mt19937_64 random(seed);
  std::vector<stamped<tick>> out;
  for (std::size_t i = 0; i != n; ++i) {
    auto const at = static_cast<instant>(random() % times) - 5;
    auto const price = 100 + static_cast<double>(random() % 1000) / 10;
    out.push_back({at, {price, static_cast<std::int32_t>(random() % 1000), static_cast<std::int64_t>(i)}});
  }
  std::shuffle(out.begin(), out.end(), random);
  return out;
}

}  // namespace

template <> struct weir::codec<exact> {
  static void encode(exact const& v, std::vector<std::byte>& to) {
    encode_state(v.unscaled(), to);
    encode_state(v.digits(), to);
  }
  static exact decode(std::span<std::byte const>& from) {
    auto const n = decode_part<std::int64_t>(from);
    return exact(n, decode_part<int>(from));
  }
};

TEST_CASE("a bar opens with the earliest trade and closes with the latest, whatever comes first") {
  //   time:   10    20    30          arrival: 20, 30, 10
  //   price:   5     9     2
  bar const b = result_of(by_arrival, std::vector<stamped<tick>>{{20, {9, 4, 0}}, {30, {2, 1, 0}}, {10, {5, 2, 0}}});
  CHECK(b == bar{5, 9, 2, 2, 7, 3, 10, 30});
}

TEST_CASE("the bar of one trade has its price four times, and that of none no trades") {
  CHECK(result_of(by_arrival, std::vector<stamped<tick>>{{7, {-2.5, 3, 0}}}) == bar{-2.5, -2.5, -2.5, -2.5, 3, 1, 7, 7});
  CHECK(result_of(by_arrival, std::vector<stamped<tick>>{}) == bar());
  CHECK(result_of(by_id, std::vector<stamped<tick>>{}) == bar());
}

TEST_CASE("among trades of equal time the first to come opens and the last closes") {
  std::vector<stamped<tick>> const trades{{5, {1, 1, 9}}, {5, {2, 1, 1}}, {5, {3, 1, 4}}};
  CHECK(result_of(by_arrival, trades).open == 1);
  CHECK(result_of(by_arrival, trades).close == 3);
}

TEST_CASE("with a key, the least of equal time opens and the greatest closes") {
  std::vector<stamped<tick>> const trades{{5, {1, 1, 9}}, {5, {2, 1, 1}}, {5, {3, 1, 4}}};
  CHECK(result_of(by_id, trades).open == 2);
  CHECK(result_of(by_id, trades).close == 1);
  std::vector<stamped<tick>> const other_times{{5, {1, 1, 3}}, {4, {2, 1, 9}}, {6, {3, 1, 1}}};  // time goes before the key
  CHECK(result_of(by_id, other_times).open == 2);
  CHECK(result_of(by_id, other_times).close == 3);
  std::vector<stamped<tick>> const equal_keys{{5, {1, 1, 3}}, {5, {2, 1, 3}}};
  CHECK(result_of(by_id, equal_keys).open == 1);
  CHECK(result_of(by_id, equal_keys).close == 2);
}

TEST_CASE("bars are those of a naive computation") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    auto const trades = random_trades(seed, seed, 1 + seed);
    INFO("seed " << seed);
    CHECK(result_of(by_arrival, trades) == naive(trades, no_key_of));
    CHECK(result_of(by_id, trades) == naive(trades, &tick::id));
  }
}

TEST_CASE("bars of numbered trades merge in any order, others with the earlier one first") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    auto const trades = random_trades(seed, 100, 20);
    check_merging(by_id, trades, merging::in_any_order);
    check_merging(by_arrival, trades, merging::in_order);
  }
  auto trades = random_trades(4, 100, 20);
  for (auto& t : trades) t.at = t.value.id;  // no two at one time
  check_merging(by_arrival, trades, merging::in_any_order);
}

TEST_CASE("a bar's prices and volume may be exact decimals, each with the text it came with") {
  struct trade {
    exact price, size;
    std::string id;
  };
  ohlcv const a(&trade::price, &trade::size, &trade::id);
  using exact_bar = ohlcv_bar<exact, exact>;
  std::vector<stamped<trade>> const trades{
      {3, {{10, 1}, {5, 0}, "b"}}, {3, {{100, 2}, {25, 2}, "c"}}, {3, {{95, 2}, {1, 3}, "a"}}, {2, {{990, 3}, {3, 0}, "x"}}};
  CHECK(result_of(a, trades) == exact_bar{{990, 3}, {10, 1}, {95, 2}, {100, 2}, {8251, 3}, 4, 2, 3});
  check_merging(a, std::vector<stamped<trade>>{trades[0], trades[2], trades[3]}, merging::in_any_order);
  check_merging(a, trades, merging::in_order);
  check_checkpoint(a, trades);
}

TEST_CASE("a volume that does not fit is an error, and the bar is as it was") {
  struct trade {
    int price;
    std::int64_t size;
  };
  ohlcv const a(&trade::price, &trade::size);
  auto s = state_of(a, std::vector<stamped<trade>>{{1, {10, std::numeric_limits<std::int64_t>::max()}}});
  auto const before = a.result(s);
  auto const one = state_of(a, std::vector<stamped<trade>>{{2, {12, 1}}});
  fails_with(errc::out_of_range, [&] { a.add(s, trade{12, 1}, 2); }, "does not fit");
  CHECK(a.result(s) == before);
  fails_with(errc::out_of_range, [&] { a.merge(s, one); });
  CHECK(a.result(s) == before);
}

TEST_CASE("a bar comes back from a checkpoint") {
  auto const trades = random_trades(1, 20, 5);
  check_checkpoint(by_arrival, trades);
  check_checkpoint(by_id, trades);
  struct small {
    short price;
    double size;
    char id;
  };
  std::vector<stamped<small>> const few{{1, {3, 0.1, 'b'}}, {1, {4, 0.2, 'a'}}};
  check_checkpoint(ohlcv(&small::price, &small::size, &small::id), few);
  check_checkpoint(ohlcv(&small::id, &small::size), few);
}

TEST_CASE("a bar of doubles and integers is one cache line, in memory and in a checkpoint") {
  static_assert(sizeof(accumulator_state<decltype(by_arrival), tick>) == 64);
  CHECK(bytes_of(state_of(by_arrival, random_trades(1, 20, 5))).size() == 64);
  static_assert(!accumulator<decltype(by_arrival), int>);
}
