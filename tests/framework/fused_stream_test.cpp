#include <weir/fused_stream.hpp>

#include <weir/error.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/sanitizer.hpp"
#include "support/skip.hpp"
#include "support/tracked.hpp"

#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using weir::test::tracked;

// --- every allocation of this program, counted
namespace {
long allocations = 0;
}
#ifndef WEIR_TEST_THREAD_SANITIZER
[[gnu::noinline]] void* operator new(std::size_t n) {
  ++allocations;
  if (void* const p = std::malloc(n)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t n, std::nothrow_t const&) noexcept {
  ++allocations;
  return std::malloc(n);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

namespace {

template <class F> struct map_stage : forwards_marks {
  explicit map_stage(F f) : f(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    auto y = f(x);
    return down.element(y, t);
  }
  F f;
};
template <class F> struct keep_stage : forwards_marks {
  explicit keep_stage(F f) : f(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) { return f(x) ? down.element(x, t) : true; }
  F f;
};
template <class F> struct sink_stage : forwards_marks {
  explicit sink_stage(F f) : f(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time, auto) {
    f(x);
    return true;
  }
  F f;
};
template <class Shape, class> struct ends {
  static plain<nothing> of(Shape const&) { return {}; }
};
template <class F> auto apply(F f) { return simple_stage<map_stage<F>, unchanged>(map_stage<F>(std::move(f))); }
template <class F> auto keep(F f) { return simple_stage<keep_stage<F>, unchanged>(keep_stage<F>(std::move(f))); }
template <class F> auto into(F f) { return simple_stage<sink_stage<F>, ends>(sink_stage<F>(std::move(f))); }

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
stream<int> source(int n, int size) { return size == 0 ? strict(n) : chunked(n, size); }

}  // namespace

TEST_CASE("stages keep a strict source strict, and stay so when moved between pulls", "[framework][fused]") {
  auto body = []() -> task<> {
    int produced = 0;
    auto chain = strict(10, &produced) | apply([](int x) { return x * 2; });
    int* x = co_await chain.next();
    CHECK(*x == 0);
    CHECK(produced == 1);
    auto moved = std::move(chain);
    x = co_await moved.next();
    CHECK(*x == 2);
    CHECK(produced == 2);
  };
  testing::run(body());
}

TEST_CASE("the result of a chain does not depend on the chunks of its source, nor on type erasure", "[framework][fused]") {
  std::vector<int> expected;
  for (int i = 0; i < 1000; ++i)
    if (i % 3 == 0) expected.push_back(i * 2 + 1);
  for (int size : {0, 1, 7, 256, 1000}) {
    auto body = [size](bool erased) -> task<std::vector<int>> {
      auto chain = source(1000, size) | keep([](int x) { return x % 3 == 0; }) | apply([](int x) { return x * 2; }) |
                   apply([](int x) { return x + 1; });
      std::vector<int> got;
      if (erased) {
        stream<int> s = std::move(chain);
        while (int* x = co_await s.next()) got.push_back(*x);
      } else {
        while (int* x = co_await chain.next()) got.push_back(*x);
      }
      co_return got;
    };
    CHECK(testing::run(body(false)) == expected);
    CHECK(testing::run(body(true)) == expected);
  }
}

TEST_CASE("a chain without output runs its source to the end in one await", "[framework][fused]") {
  for (int size : {0, 1, 256}) {
    auto body = [size]() -> task<long> {
      long sum = 0;
      auto all = source(1000, size) | into([&sum](int x) { sum += x; });
      co_await all;
      co_return sum;
    };
    CHECK(testing::run(body()) == 499'500);
  }
}

TEST_CASE("a chain that was pulled takes no further stage; converted to a stream, it does", "[framework][fused]") {
  auto body = []() -> task<int> {
    auto spoilt = strict(5) | apply([](int x) { return x * 10; });
    co_await spoilt.next();
    test::fails_with(
        errc::misuse, [&] { (void)(std::move(spoilt) | apply([](int x) { return x; })); }, "stream: cannot add a stage", "pulled already");
    auto chain = strict(5) | apply([](int x) { return x * 10; });
    co_await chain.next();
    stream<int> rest = std::move(chain);
    auto more = std::move(rest) | apply([](int x) { return x + 1; });
    int sum = 0;
    while (int* x = co_await more.next()) sum += *x;
    co_return sum;
  };
  CHECK(testing::run(body()) == 11 + 21 + 31 + 41);
}

TEST_CASE("a stream that was pulled before goes on in a chain where it was left", "[framework][fused]") {
  for (int size : {0, 1, 3, 256}) {
    auto body = [size]() -> task<std::vector<int>> {
      std::vector<int> got;
      stream<int> numbers = source(10, size);
      for (int i = 0; i != 4; ++i) got.push_back(*co_await numbers.next());
      auto rest = std::move(numbers) | apply([](int x) { return x * 100; });
      while (int* x = co_await rest.next()) got.push_back(*x);
      co_return got;
    };
    CHECK(testing::run(body()) == std::vector{0, 1, 2, 3, 400, 500, 600, 700, 800, 900});
  }
}

TEST_CASE("a failing stage delivers what came before, then throws", "[framework][fused]") {
  for (int size : {0, 1, 64, 256}) {
    auto body = [size]() -> task<> {
      auto chain = source(100, size) | apply([](int x) {
                     if (x == 40) throw std::runtime_error("stage broke");
                     return x;
                   });
      int n = 0;
      std::string what;
      try {
        while (co_await chain.next()) ++n;
      } catch (std::runtime_error const& e) {
        what = e.what();
      }
      CHECK(n == 40);
      CHECK(what == "stage broke");
      auto* const end1 = co_await chain.next();
      CHECK(end1 == nullptr);
    };
    testing::run(body());
  }
}

TEST_CASE("a dropped chain destroys what it holds", "[framework][fused]") {
  auto body = []() -> task<> {
    auto elements = []() -> stream<tracked> {
      std::vector<tracked> some;
      for (int i = 0; i < 10; ++i) some.emplace_back(i);
      co_yield std::span<tracked>(some);
    };
    {
      auto chain = elements() | keep([](tracked const& t) { return t.value() % 2 == 0; });
      auto* const got2 = co_await chain.next();
      CHECK(got2->value() == 0);
      stream<tracked> erased = std::move(chain);
      auto* const got3 = co_await erased.next();
      CHECK(got3->value() == 2);
    }
    CHECK(tracked::alive == 0);
  };
  testing::run(body());
}

TEST_CASE("ten million filtered elements do not grow the stack", "[framework][fused]") {
  auto body = []() -> task<> {
    auto none = strict(10'000'000) | keep([](int) { return false; });
    auto* const end4 = co_await none.next();
    CHECK(end4 == nullptr);
  };
  testing::run(body());
}

TEST_CASE("cancellation ends a chain whose source never waits and whose stages give nothing on", "[framework][fused]") {
  for (int size : {0, 1, 256}) {
    auto body = [size]() -> task<> {
      context& own = co_await current_context();
      int seen = 0;
      auto all = source(1'000'000, size) | into([&](int) {
                   if (++seen == 300) own.cancel();
                 });
      bool cancelled = false;
      try {
        co_await all;
      } catch (error const& e) {
        cancelled = e.code() == condition::cancelled;
      }
      CHECK(cancelled);
      CHECK(seen < 1000);
    };
    testing::run(body());
  }
}

TEST_CASE("nothing is allocated per element", "[framework][fused]") {
  if (test::thread_sanitizer && test::skip("ThreadSanitizer has its own operator new")) return;
  for (int size : {0, 256}) {
    auto body = [size](int n) -> task<long> {
      auto chain = source(n, size) | apply([](int x) { return x + 1; }) | keep([](int x) { return x % 2 == 0; });
      stream<int> erased = std::move(chain);
      long sum = 0;
      while (int* x = co_await erased.next()) sum += *x;
      co_return sum;
    };
    testing::run(body(1000));
    long const before = allocations;
    testing::run(body(1000));
    long const few = allocations - before;
    testing::run(body(1'000'000));
    CHECK(allocations - before - few == few);
  }
}
