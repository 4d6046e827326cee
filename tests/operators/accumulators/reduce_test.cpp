#include <weir/operators/accumulators/reduce.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

using namespace weir;
using namespace weir::test;

namespace {

struct total {
  int orders;
  double amount;
  bool operator==(total const&) const = default;
};
total add(total const& a, total const& b) { return {a.orders + b.orders, a.amount + b.amount}; }

}  // namespace

TEST_CASE("reducing combines elements into one of their type") {
  CHECK(result_of(reducing(add), std::vector<total>{{1, 2.5}, {2, 3}, {1, 0.5}}) == total{4, 6});
  CHECK(result_of(reducing(std::plus<>()), std::vector<std::string>{"a", "b", "c"}) == "abc");
  CHECK(result_of(reducing([](int a, int b) { return std::gcd(a, b); }), std::vector<int>{12, 18, 27}) == 3);
  static_assert(!accumulator<reducing<std::plus<>>, total> && accumulator<reducing<std::plus<>>, short>);
}

TEST_CASE("one element is given out as it is, and for none there is nothing") {
  auto const never = [](int, int) -> int { throw std::logic_error("called"); };
  CHECK(result_of(reducing(never), std::vector<int>{7}) == 7);
  CHECK(result_of(reducing(never), std::vector<int>{}) == std::nullopt);
  reducing const a(never);
  auto s = state_of(a, in_turn<int>({7}));
  a.merge(s, state_of(a, in_turn<int>({})));
  CHECK(a.result(s) == 7);
}

TEST_CASE("a function that fails leaves the state as it was") {
  reducing const a([](std::string const& x, std::string const& y) {
    if (y == "bad") throw std::runtime_error("poisoned");
    return x + y;
  });
  auto s = state_of(a, in_turn<std::string>({"a", "b"}));
  CHECK_THROWS_AS(a.add(s, std::string("bad"), 0), std::runtime_error);
  CHECK(a.result(s) == "ab");
}

TEST_CASE("an associative function merges in order, one that commutes too in any order") {
  std::vector<int> xs(60);
  std::iota(xs.begin(), xs.end(), 1);
  check_merging(reducing([](int a, int b) { return std::max(a, b); }), in_turn(xs), merging::in_any_order);
  std::vector<std::string> words;
  for (int x : xs) words.push_back(std::to_string(x));
  check_merging(reducing(std::plus<>()), in_turn(words), merging::in_order);
}

TEST_CASE("a reduction comes back from a checkpoint") {
  check_checkpoint(reducing(std::plus<>()), in_turn(std::vector<int>{1, 2, 3}));
  check_checkpoint(reducing(std::plus<>()), in_turn(std::vector<std::string>{"a", "b", "c"}));
}
