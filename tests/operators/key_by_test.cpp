#include <weir/operators/key_by.hpp>

#include <weir/operators/filter.hpp>
#include <weir/operators/map.hpp>

#include "operators/stage_checks.hpp"

#include <string_view>

using namespace weir;
using namespace weir::test;

namespace {

auto keyed_by_parity(stream<int> s) {
  return std::move(s) | key_by([](int x) { return x % 2; });
}

}  // namespace

TEST_CASE("key_by leaves the elements as they are and says what their key is") {
  for (std::size_t const n : chunkings) {
    auto out = keyed_by_parity(feed<int>({3, 4}).chunks(n).open());
    static_assert(decltype(out)::shape_type::has_key);
    CHECK(out.shape().key(3) == 1);
    CHECK(all_of<int>(std::move(out)) == std::vector{3, 4});
  }
}

TEST_CASE("key_by of an empty stream is empty") { CHECK(all_of<int>(keyed_by_parity(feed<int>({}).open())).empty()); }

TEST_CASE("a key stays with elements that stay, and goes with those that are replaced") {
  auto kept = keyed_by_parity(feed<int>({1}).open()) | filter([](int) { return true; });
  static_assert(decltype(kept)::shape_type::has_key);
  auto replaced = std::move(kept) | map([](int x) { return x; });
  static_assert(!decltype(replaced)::shape_type::has_key);
  CHECK(all_of<int>(std::move(replaced)) == std::vector{1});
}

TEST_CASE("key_by keeps event time") {
  auto keyed = feed<int>({1, 2}).open_timed() | key_by([](int x) { return std::to_string(x); });
  static_assert(decltype(keyed)::shape_type::has_time && decltype(keyed)::shape_type::has_key);
  CHECK(testing::run(show<int>(timed_stream<int>(std::move(keyed)))) == "1@0 2@10");
}

TEST_CASE("key_by passes an upstream failure on after what came before it") {
  check_upstream_failure<int>({1, 2}, {1, 2}, keyed_by_parity);
}

TEST_CASE("key_by dropped half-way destroys what flows through it") {
  check_early_drop([](stream<tracked> s) { return std::move(s) | key_by(&tracked::value); });
}

TEST_CASE("key_by does not run ahead of its consumer") {
  check_does_not_run_ahead(keyed_by_parity, [](std::size_t n) { return n; });
}
