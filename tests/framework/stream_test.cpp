#include <weir/stream.hpp>

#include <weir/error.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;

namespace {

stream<int> strict(int n, int* produced = nullptr) {
  for (int i = 0; i < n; ++i) {
    if (produced) ++*produced;
    co_yield int(i);
  }
}
stream<int> chunked(int n, int size) {
  std::vector<int> buffer(static_cast<std::size_t>(size));
  for (int i = 0; i < n; i += size) {
    int const k = std::min(size, n - i);
    std::iota(buffer.begin(), buffer.begin() + k, i);
    co_yield std::span<int>(buffer.data(), static_cast<std::size_t>(k));
  }
}
stream<tracked> tracked_elements(int n) {
  tracked const local(-1);
  for (int i = 0; i < n; ++i) co_yield tracked(i);
}
stream<int> fails_after(int n) {
  tracked const local(-1);
  for (int i = 0; i < n; ++i) co_yield int(i);
  throw std::runtime_error("source broke");
}
stream<long> through(stream<long> s) {
  while (long* x = co_await s.next()) co_yield long(*x);
}
stream<long> numbers(long n) {
  for (long i = 0; i < n; ++i) co_yield long(i);
}
task<std::vector<int>> collect(stream<int> s) {
  std::vector<int> all;
  while (int* x = co_await s.next()) all.push_back(*x);
  co_return all;
}
std::vector<int> up_to(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 0);
  return v;
}

}  // namespace

TEST_CASE("a generator starts at the first pull and never runs ahead of a strict yield", "[framework][stream]") {
  auto body = []() -> task<> {
    int produced = 0;
    auto s = strict(10, &produced);
    CHECK(produced == 0);
    for (int i = 0; i < 3; ++i) {
      int* x = co_await s.next();
      REQUIRE(x);
      CHECK(*x == i);
      CHECK(produced == i + 1);
    }
  };
  testing::run(body());
}

TEST_CASE("strict yields and chunks of any size give the same elements", "[framework][stream]") {
  CHECK(testing::run(collect(strict(0))).empty());
  CHECK(testing::run(collect(strict(1000))) == up_to(1000));
  for (int size : {1, 2, 255, 256, 1000, 4096}) CHECK(testing::run(collect(chunked(1000, size))) == up_to(1000));
}

TEST_CASE("a chunk is consumed without resuming the generator, which keeps it until then", "[framework][stream]") {
  auto body = []() -> task<> {
    int resumed = 0;
    auto source = [](int& count) -> stream<int> {
      std::array<int, 3> three{1, 2, 3};
      co_yield std::span<int>(three);
      ++count;
      CHECK(three == std::array<int, 3>{10, 20, 30});  // the consumer may change them in place
    };
    auto s = source(resumed);
    for (int i = 1; i <= 3; ++i) {
      int* x = co_await s.next();
      REQUIRE(x);
      *x *= 10;
      CHECK(resumed == 0);
    }
    auto* const end1 = co_await s.next();
    CHECK(end1 == nullptr);
    CHECK(resumed == 1);
  };
  testing::run(body());
}

TEST_CASE("the end is seen again and again", "[framework][stream]") {
  auto body = []() -> task<> {
    auto s = strict(1);
    auto* const got2 = co_await s.next();
    CHECK(got2 != nullptr);
    for (int i = 0; i < 3; ++i) {
      auto* const end3 = co_await s.next();
      CHECK(end3 == nullptr);
    }
  };
  testing::run(body());
}

TEST_CASE("a failure arrives after what was yielded before it, and ends the stream", "[framework][stream]") {
  auto body = []() -> task<> {
    int n = 0;
    std::string what;
    auto s = fails_after(3);
    try {
      while (co_await s.next()) ++n;
    } catch (std::runtime_error const& e) {
      what = e.what();
    }
    CHECK(n == 3);
    CHECK(what == "source broke");
    CHECK(tracked::alive == 0);
    auto* const end4 = co_await s.next();
    CHECK(end4 == nullptr);
  };
  testing::run(body());
}

TEST_CASE("dropping a stream half-way destroys its locals and the element in hand", "[framework][stream]") {
  auto body = []() -> task<> {
    {
      auto s = tracked_elements(100);
      for (int i = 0; i < 3; ++i) {
        auto* const got5 = co_await s.next();
        CHECK(got5->value() == i);
      }
      CHECK(tracked::alive == 2);
    }
    CHECK(tracked::alive == 0);
    { auto never_started = tracked_elements(3); }
    CHECK(tracked::alive == 0);
  };
  testing::run(body());
}

TEST_CASE("an lvalue is yielded as a copy, a temporary is not copied", "[framework][stream]") {
  auto body = []() -> task<> {
    auto lvalues = []() -> stream<std::string> {
      std::string const mine(40, 'x');
      co_yield mine;
      CHECK(mine == std::string(40, 'x'));
    };
    auto s = lvalues();
    std::string* x = co_await s.next();
    *x += "changed";
    auto* const end6 = co_await s.next();
    CHECK(end6 == nullptr);
    auto owners = []() -> stream<std::unique_ptr<int>> { co_yield std::make_unique<int>(3); };
    auto o = owners();
    std::unique_ptr<int> const taken = std::move(*co_await o.next());
    CHECK(*taken == 3);
  };
  testing::run(body());
}

TEST_CASE("a generator may wait between elements", "[framework][stream]") {
  auto body = []() -> task<> {
    auto slow = []() -> stream<int> {
      for (int i = 0; i < 3; ++i) {
        co_await sleep_for(1h);
        co_yield int(i);
      }
    };
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto s = slow();
    int n = 0;
    while (co_await s.next()) ++n;
    CHECK(n == 3);
    CHECK(own.clock().now() - start == 3 * 3'600'000'000'000);
  };
  testing::run(body());
}

TEST_CASE("ten million elements through three coroutines do not grow the stack", "[framework][stream]") {
  auto body = []() -> task<long> {
    auto s = through(through(numbers(10'000'000)));
    long n = 0;
    while (co_await s.next()) ++n;
    co_return n;
  };
  CHECK(testing::run(body()) == 10'000'000);
}

TEST_CASE("a pull under a cancelled context throws and ends the stream, though its generator never waits", "[framework][stream]") {
  auto body = []() -> task<> {
    context& own = co_await current_context();
    auto s = strict(1'000'000);
    auto* const got7 = co_await s.next();
    CHECK(got7 != nullptr);
    own.cancel();
    bool cancelled = false;
    try {
      co_await s.next();
    } catch (error const& e) {
      cancelled = e.code() == condition::cancelled;
    }
    CHECK(cancelled);
  };
  testing::run(body());
}
