#include <weir/operators/retry.hpp>

#include <weir/error.hpp>

#include "operators/beside_support.hpp"

#include <map>
#include <string>
#include <system_error>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;

namespace {

error unavailable() { return error(errc::unavailable, "store: cannot write", "it is away"); }

// Fails so often per element, then gives its tenfold.
struct flaky {
  explicit flaky(int n) : failures(n) {}
  task<int> operator()(int x) {
    ++calls;
    co_await reschedule();
    if (seen[x]++ < failures) throw unavailable();
    co_return 10 * x;
  }
  int failures, calls = 0;
  std::map<int, int> seen;
};

retry_policy steady(unsigned attempts) { return retry_policy().attempts(attempts).first_delay(100ms).cap(1s).blur(jitter::none); }

}  // namespace

TEST_CASE("retry calls again until the element succeeds, in order, for every chunking", "[operators][retry]") {
  for (std::size_t const chunk : chunkings) {
    flaky f(2);
    feed<int> source(numbers(0, 5));
    source.chunks(chunk);
    auto const call = [&f](int& x) { return f(x); };
    CHECK(all_of<int>(source.open() | retry(steady(3), call)) == std::vector<int>{0, 10, 20, 30, 40});
    CHECK(f.calls == 15);
  }
  flaky f(0);
  auto const call = [&f](int& x) { return f(x); };
  CHECK(all_of<int>(feed<int>({}).open() | retry(steady(3), call)).empty());
}

TEST_CASE("retry waits longer each time, up to the cap, on the context's clock", "[operators][retry]") {
  flaky f(6);
  auto const call = [&f](int& x) { return f(x); };
  auto const body = [&]() -> task<instant> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    stream<int> s = feed<int>({1}).open() | retry(steady(7), call);
    (void)co_await s.next();
    co_return (own.clock().now() - start) / 1'000'000;
  };
  CHECK(testing::run(body()) == 100 + 200 + 400 + 800 + 1000 + 1000);
}

TEST_CASE("the last failure is thrown, with the number of attempts, after what came before", "[operators][retry]") {
  auto const f = [](int const& x) -> task<int> {
    if (x == 2) throw unavailable();
    co_return x;
  };
  auto const got = testing::run(drain<int>(feed<int>(numbers(0, 5)).open() | retry(steady(4), f)));
  CHECK(got.values == numbers(0, 2));
  CHECK(got.code == errc::unavailable);
  CHECK(got.failure == "store: cannot write (after 4 attempts): it is away");
}

TEST_CASE("what is not worth another try is thrown at once, as it is", "[operators][retry]") {
  int calls = 0;
  auto const corrupt = [&calls](int&) -> task<int> {
    ++calls;
    throw error(errc::corrupt, "store: damaged");
    co_return 0;
  };
  CHECK(testing::run(drain<int>(feed<int>({1}).open() | retry(steady(4), corrupt))).failure == "store: damaged");
  CHECK(calls == 1);
  auto const foreign = [&calls](int&) -> task<int> {
    ++calls;
    throw std::runtime_error("foreign");
    co_return 0;
  };
  CHECK(testing::run(drain<int>(feed<int>({1}).open() | retry(steady(4), foreign))).failure == "foreign");
  CHECK(calls == 2);
  auto const any = [](std::exception const&) { return true; };
  CHECK(testing::run(drain<int>(feed<int>({1}).open() | retry(steady(4).when(any), foreign))).failure == "foreign");
  CHECK(calls == 6);
}

TEST_CASE("a failure of the system becomes an error with its code and the number of attempts", "[operators][retry]") {
  auto const f = [](int&) -> task<int> {
    throw std::system_error(std::make_error_code(std::errc::connection_reset), "read");
    co_return 0;
  };
  auto const got = testing::run(drain<int>(feed<int>({1}).open() | retry(steady(2), f)));
  CHECK(got.code == std::errc::connection_reset);
  CHECK(got.failure.find("after 2 attempts") != std::string::npos);
  CHECK(got.failure.find("read") != std::string::npos);
}

TEST_CASE("one at a time: the next element begins when the consumer asks for it", "[operators][retry]") {
  work_log log;
  auto const f = [&log](int x) -> task<int> {
    in_work const here(log);
    co_await sleep_for(1ms);
    co_return x;
  };
  feed<int> source(numbers(0, 5));
  auto const body = [&]() -> task<> {
    stream<int> s = source.open() | retry(steady(2), f);
    (void)co_await s.next();
    co_await sleep_for(1h);
    CHECK(log.begun == 1);
    CHECK(source.handed_out() == 1);
    while (co_await s.next()) {}
    CHECK(log.most == 1);
    CHECK(log.begun == 5);
  };
  testing::run(body());
}

TEST_CASE("marks keep their place and times their element", "[operators][retry]") {
  for (std::size_t const chunk : chunkings) {
    flaky f(1);
    auto const call = [&f](int& x) { return f(x); };
    feed<int> source(numbers(0, 4));
    source.chunks(chunk).mark_at(0, mark::idle()).mark_at(1, mark::watermark(5)).barrier_at(2).barrier_at(4).stops();
    timed_stream<int> s = source.open_timed() | retry(steady(3), call);
    CHECK(testing::run(show<int>(std::move(s))) == "idle 0@0 w5 10@10 | 20@20 30@30 | stop");
  }
}

TEST_CASE("an element that fails for good leaves the barrier behind it incomplete", "[operators][retry]") {
  flaky f(9);
  auto const call = [&f](int& x) { return f(x); };
  feed<int> source(numbers(0, 2));
  source.barrier_at(0).barrier_at(1);
  CHECK(testing::run(drain<int>(source.open() | retry(steady(2), call))).code == errc::unavailable);
  CHECK(source.barrier(0).completed());
  CHECK_FALSE(source.barrier(1).completed());
}

TEST_CASE("an upstream failure passes through", "[operators][retry]") {
  flaky f(0);
  auto const call = [&f](int& x) { return f(x); };
  feed<int> source(numbers(0, 2));
  source.fails("source broke");
  auto const got = testing::run(drain<int>(source.open() | retry(steady(2), call)));
  CHECK(got.values == std::vector<int>{0, 10});
  CHECK(got.failure == "source broke");
  CHECK(f.calls == 2);
}

TEST_CASE("cancelled in the middle of a try, or of a delay: nothing is tried again", "[operators][retry]") {
  int calls = 0;
  auto const slow = [&calls](int&) -> task<int> {
    ++calls;
    co_await sleep_for(1h);
    throw unavailable();
    co_return 0;
  };
  auto const anything = steady(9).when([](std::exception const&) { return true; });
  CHECK(testing::run(drain_for<int>(feed<int>({1}).open() | retry(anything, slow), 1min)).code == condition::cancelled);
  CHECK(calls == 1);
  flaky f(100);
  auto const call = [&f](int& x) { return f(x); };
  auto const patient = retry_policy().attempts(9).first_delay(1h).cap(1h).blur(jitter::none);
  CHECK(testing::run(drain_for<int>(feed<int>({1}).open() | retry(patient, call), 90min)).code == condition::cancelled);
  CHECK(f.calls == 2);
  destroy_loop_under<int>(feed<int>({1}).open() | retry(patient, call));
}

TEST_CASE("dropped half-way nothing leaks", "[operators][retry]") {
  auto const source = []() -> stream<tracked> {
    for (int i = 0; i != 6; ++i) co_yield tracked(i);
  };
  auto const f = [](tracked& x) -> task<tracked> { co_return std::move(x); };
  CHECK(testing::run(take_and_drop<tracked>(source() | retry(steady(2), f), 2)).size() == 2);
  CHECK(tracked::alive == 0);
}

TEST_CASE("retry may be pulled under another context each time", "[operators][retry]") {
  flaky f(2);
  auto const call = [&f](int& x) { return f(x); };
  stream<int> s = feed<int>(numbers(0, 5)).open() | retry(steady(3), call);
  CHECK(testing::run(pull_each_under_its_own(std::move(s), 5)) == std::vector<int>{0, 10, 20, 30, 40});
}

TEST_CASE("retry: every order of events gives the same", "[operators][retry]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    flaky f(static_cast<int>(seed % 3));
    auto const call = [&f](int& x) { return f(x); };
    feed<int> source(numbers(0, 10));
    source.chunks(seed % 5).waits();
    auto const got = testing::run(drain<int>(source.open() | retry(retry_policy().attempts(4), call)), seed);
    CHECK(got.values == std::vector<int>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90});
  }
}
