#include <weir/operators/state/value_state.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;

namespace {

template <class T> value_state<T> restored(value_state<T> const& state) {
  std::vector<std::byte> bytes;
  encode_state(state, bytes);
  return decode_state<value_state<T>>(bytes);
}

}  // namespace

TEST_CASE("a value state has no value until one is set, and none after it was cleared") {
  value_state<std::string> state;
  CHECK_FALSE(state);
  CHECK(state.value_or("none") == "none");
  state.set("x");
  REQUIRE(state);
  CHECK(*state == "x");
  *state += "y";
  CHECK(state->size() == 2);
  CHECK(state.value_or("none") == "xy");
  state.clear();
  CHECK_FALSE(state.has_value());
}

TEST_CASE("a value with a time goes when it is dropped before a later one; one without a time stays") {
  value_state<int> state;
  CHECK_FALSE(state.drop_before(5));
  state.set(1, 5);
  CHECK(state.time() == 5);
  CHECK_FALSE(state.drop_before(5));
  CHECK(*state == 1);
  CHECK(state.drop_before(6));
  CHECK_FALSE(state);
  state.set(2);
  CHECK_FALSE(state.drop_before(end_of_time));
  CHECK(*state == 2);
  state.set(3, 7);  // from here on it has one
  CHECK(state.drop_before(8));
}

TEST_CASE("a value state is the same after a checkpoint") {
  value_state<std::string> state;
  CHECK_FALSE(restored(state));
  state.set("x", 5);
  CHECK(*restored(state) == "x");
  CHECK(restored(state).time() == 5);
}
