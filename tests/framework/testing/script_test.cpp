#include <weir/testing/script.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;
using testing::script;

namespace {

task<std::string> read(stream<int> s) {
  std::string out;
  try {
    while (int* const x = co_await s.next()) out += std::to_string(*x);
  } catch (error const&) {
    out += "!";
  }
  co_return out;
}

}  // namespace

TEST_CASE("a script played afresh has the same steps, and its own history", "[framework][script]") {
  script<int> once("numbers");
  once.elements({1, 2}).fail("broken").element(3).partition("b").element(4);
  CHECK(testing::run(read(once.play())) == "12!");
  CHECK(testing::run(read(once.play())) == "123");
  script<int> again = once.afresh();
  CHECK(again.name() == "numbers");
  CHECK(again.partitions() == once.partitions());
  CHECK(again.openings() == 0);
  CHECK(testing::run(read(again.play())) == "12!");
  CHECK(testing::run(read(once.play())) == "123");
  again.element(5);  // to the partition that was the last
  CHECK(testing::run(read(again.play("b"))) == "45");
  CHECK(testing::run(read(once.play("b"))) == "4");
}
