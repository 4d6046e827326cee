#include <weir/operators/accumulators/collect.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

#include <string_view>
#include <tuple>

using namespace weir;
using namespace weir::test;

namespace {

struct tick {
  int price;
  int id;
};

// Many elements of one time; the values say when they came.
std::vector<stamped<int>> random_elements(std::uint64_t seed, int n) {
  std::mt19937_64 random(seed);
  std::vector<stamped<int>> out;
  for (int i = 0; i != n; ++i) out.push_back({static_cast<instant>(random() % 20) - 10, i});
  return out;
}
std::vector<int> naive(std::vector<stamped<int>> in) {
  std::sort(in.begin(), in.end(), [](auto const& a, auto const& b) { return std::tie(a.at, a.value) < std::tie(b.at, b.value); });
  std::vector<int> out;
  for (auto const& x : in) out.push_back(x.value);
  return out;
}

}  // namespace

TEST_CASE("collect gives the elements in the order of their times, those of one time as they came") {
  CHECK(result_of(collect(), std::vector<stamped<int>>{{3, 1}, {1, 2}, {3, 3}, {2, 4}, {1, 5}}) == std::vector{2, 5, 4, 1, 3});
  CHECK(result_of(collect(), std::vector<stamped<int>>{{1, 1}, {1, 2}, {2, 3}}) == std::vector{1, 2, 3});
  CHECK(result_of(collect(), std::vector<int>{}).empty());
}

TEST_CASE("collect may keep only what its projection says") {
  std::vector<stamped<tick>> const ticks{{2, {20, 1}}, {1, {10, 2}}};
  CHECK(result_of(collect(&tick::price), ticks) == std::vector{10, 20});
  CHECK(result_of(collect([](tick const& t) { return std::to_string(t.id); }), ticks) == std::vector<std::string>{"2", "1"});
}

TEST_CASE("collect keeps text of its own where the elements are views") {
  std::string text = "eins,zwei";
  collect<> const a;
  auto const s = state_of(a, in_turn<std::string_view>({std::string_view(text).substr(0, 4), std::string_view(text).substr(5)}));
  text.assign(text.size(), '?');
  CHECK(a.result(s) == std::vector<std::string>{"eins", "zwei"});
}

TEST_CASE("a collection is sorted by time and arrival") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto const in = random_elements(seed, static_cast<int>(seed * 5));
    INFO("seed " << seed);
    CHECK(result_of(collect(), in) == naive(in));
  }
}

TEST_CASE("collections merge in any order but for equal times, which want the earlier one first") {
  auto in = random_elements(1, 150);
  check_merging(collect(), in, merging::in_order);
  std::mt19937_64 random(1);
  for (auto& x : in) x.at = x.value;
  std::shuffle(in.begin(), in.end(), random);
  check_merging(collect(), in, merging::in_any_order);
}

TEST_CASE("a collection comes back from a checkpoint") {
  check_checkpoint(collect(), random_elements(1, 20));
  check_checkpoint(collect([](int x) { return std::to_string(x); }), random_elements(1, 20));
  check_checkpoint(collect([](int x) { return x % 2 == 0; }), random_elements(1, 20));
}
