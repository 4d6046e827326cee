#include <weir/task.hpp>

#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <memory>
#include <stdexcept>
#include <string>

using namespace weir;
using weir::test::tracked;

namespace {

task<int> value(int x) { co_return x; }
task<std::unique_ptr<int>> owner(int x) { co_return std::make_unique<int>(x); }
task<int&> reference(int& x) { co_return x; }
task<> fails(std::string why) {
  tracked const local(1);
  throw std::runtime_error(why);
  co_return;
}
task<> notes(bool& started) {
  started = true;
  co_return;
}
task<long> many(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += co_await value(1);
  co_return sum;
}
task<int> deep(int n) {
  if (n == 0) co_return 0;
  co_return 1 + co_await deep(n - 1);
}

}  // namespace

TEST_CASE("a task does not start until it is awaited", "[framework][task]") {
  bool started = false;
  auto run = [](bool& flag) -> task<> {
    auto t = notes(flag);
    CHECK_FALSE(flag);
    co_await std::move(t);
    CHECK(flag);
  };
  testing::run(run(started));
  CHECK(started);
}

TEST_CASE("a task that is never awaited is freed with its parameters", "[framework][task]") {
  {
    auto keep = [](tracked) -> task<> { co_return; };
    auto const never = keep(tracked(1));
    CHECK(tracked::alive >= 1);
  }
  CHECK(tracked::alive == 0);
}

TEST_CASE("a task yields values, move-only values and references", "[framework][task]") {
  CHECK(testing::run(value(7)) == 7);
  CHECK(*testing::run(owner(8)) == 8);
  int x = 1;
  auto change = [](int& target) -> task<> {
    int& same = co_await reference(target);
    same = 5;
  };
  testing::run(change(x));
  CHECK(x == 5);
}

TEST_CASE("a task's exception is thrown by the await, after its locals are gone", "[framework][task]") {
  auto outer = []() -> task<std::string> {
    try {
      co_await fails("broken");
    } catch (std::runtime_error const& e) {
      CHECK(tracked::alive == 0);
      co_return e.what();
    }
    co_return "nothing";
  };
  CHECK(testing::run(outer()) == "broken");
  CHECK_THROWS_AS(testing::run(fails("out")), std::runtime_error);
}

TEST_CASE("ten million synchronous task calls do not grow the stack", "[framework][task]") {
  CHECK(testing::run(many(10'000'000)) == 10'000'000);
}

TEST_CASE("tasks nested a hundred thousand deep do not grow the stack", "[framework][task]") {
  CHECK(testing::run(deep(100'000)) == 100'000);
}
