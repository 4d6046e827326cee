#include <weir/operators/accumulators/count.hpp>

#include "operators/accumulators/accumulator_checks.hpp"

using namespace weir;
using namespace weir::test;

TEST_CASE("count is how many elements were added") {
  CHECK(result_of(count(), std::vector<int>{}) == 0);
  CHECK(result_of(count{}, std::vector<std::string>{"a", "b", "a"}) == 3);
  static_assert(std::is_same_v<accumulator_result<count, int>, std::uint64_t>);
}

TEST_CASE("counts merged in any order are the count of all") {
  check_merging(count(), in_turn(std::vector<int>(57)), merging::in_any_order);
}

TEST_CASE("a count comes back from a checkpoint") {
  check_checkpoint(count(), in_turn(std::vector<int>(5)));
  static_assert(sizeof(accumulator_state<count, int>) == 8);
}
