#include <weir/async_scope.hpp>

#include <weir/reschedule.hpp>
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <stdexcept>
#include <string>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;

namespace {

task<> takes(std::chrono::nanoseconds d, int& done) {
  tracked const local(1);
  co_await sleep_for(d);
  ++done;
}
task<> breaks(std::chrono::nanoseconds d, std::string why) {
  co_await sleep_for(d);
  throw std::runtime_error(why);
}
// What with_scope throws; empty for nothing.
template <class F> task<std::string> failure_of(F body) {
  auto scope = with_scope(std::move(body));
  try {
    co_await std::move(scope);
  } catch (error const& e) {
    co_return e.code() == condition::cancelled ? "cancelled" : e.what();
  } catch (std::exception const& e) {
    co_return e.what();
  }
  co_return "";
}

}  // namespace

TEST_CASE("with_scope returns when everything in it has ended", "[framework][async_scope]") {
  int done = 0;
  auto const body = [&](async_scope& scope) -> task<> {
    for (int i = 1; i != 4; ++i) scope.spawn(takes(std::chrono::seconds(i), done));
    CHECK(scope.running() == 3);
    co_await sleep_for(1500ms);
    CHECK(done == 1);
  };
  auto const outer = [&]() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto const failure = co_await failure_of(body);
    CHECK(failure == "");
    CHECK(done == 3);
    CHECK(tracked::alive == 0);
    CHECK(own.clock().now() - start == 3'000'000'000);
    auto const nothing = [](async_scope&) -> task<> { co_return; };
    co_await with_scope(nothing);
  };
  testing::run(outer());
}

TEST_CASE("a task that fails ends the others and the body, and its failure is thrown", "[framework][async_scope]") {
  int done = 0;
  bool body_cancelled = false;
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(takes(1h, done));
    scope.spawn(breaks(1s, "first"));
    scope.spawn(breaks(2s, "second"));
    try {
      co_await sleep_for(1h);
    } catch (error const&) {
      body_cancelled = true;
      throw;
    }
  };
  CHECK(testing::run(failure_of(body)) == "first");
  CHECK(body_cancelled);
  CHECK(done == 0);
  CHECK(tracked::alive == 0);
}

TEST_CASE("a body that fails ends its tasks, and its failure is thrown after they are joined", "[framework][async_scope]") {
  int done = 0;
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(takes(1h, done));
    co_await sleep_for(1s);
    throw std::runtime_error("body");
  };
  auto const outer = [&]() -> task<> {
    std::string const failure = co_await failure_of(body);
    CHECK(failure == "body");
    CHECK(tracked::alive == 0);
  };
  testing::run(outer());
}

TEST_CASE("scope.cancel() ends everything without a failure, unless something fails besides", "[framework][async_scope]") {
  int done = 0;
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(takes(1h, done));
    co_await sleep_for(1s);
    scope.cancel();
    scope.spawn(takes(0s, done));  // too late: not started
    co_await sleep_for(1h);
    FAIL("not reached");
  };
  CHECK(testing::run(failure_of(body)) == "");
  CHECK(done == 0);
  auto const angry = []() -> task<> {
    try {
      co_await sleep_for(1h);
    } catch (error const&) {
      throw std::runtime_error("while ending");
    }
  };
  auto const second = [&](async_scope& scope) -> task<> {
    scope.spawn(angry());
    scope.cancel();
    co_return;
  };
  CHECK(testing::run(failure_of(second)) == "while ending");
}

TEST_CASE("cancellation from outside reaches tasks and body, and is thrown when they are joined", "[framework][async_scope]") {
  int done = 0;
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(takes(1h, done));
    co_return;
  };
  auto const outer = [&]() -> task<> {
    bool timed_out = false;
    auto scope = with_scope(body);
    try {
      co_await with_timeout(1s, std::move(scope));
    } catch (error const& e) {
      timed_out = e.code() == errc::timed_out;
    }
    CHECK(timed_out);
    CHECK(tracked::alive == 0);
  };
  testing::run(outer());
}

TEST_CASE("a task may start others, also while the scope waits for the last", "[framework][async_scope]") {
  int done = 0;
  struct tree {
    static task<> grow(async_scope& scope, int depth, int& n) {
      co_await sleep_for(1s);
      ++n;
      if (depth == 0) co_return;
      scope.spawn(grow(scope, depth - 1, n));
      scope.spawn(grow(scope, depth - 1, n));
    }
  };
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(tree::grow(scope, 5, done));
    co_return;
  };
  CHECK(testing::run(failure_of(body)) == "");
  CHECK(done == 63);
}

TEST_CASE("what the body's closure captures lives until the last task has ended", "[framework][async_scope]") {
  auto text = std::make_shared<std::string>("captured");
  auto body = [text](async_scope& scope) -> task<> {
    auto const later = [](std::string const& s) -> task<> {
      co_await sleep_for(1s);
      CHECK(s == "captured");
    };
    scope.spawn(later(*text));
    co_return;
  };
  CHECK(testing::run(failure_of(std::move(body))) == "");
  CHECK(text.use_count() == 1);
}

TEST_CASE("with_scope: every order of events joins", "[framework][async_scope]") {
  auto const hops = [](int n, int& done) -> task<> {
    tracked const local(n);
    for (int i = 0; i != n; ++i) co_await reschedule();
    ++done;
  };
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    int done = 0;
    auto const body = [&](async_scope& scope) -> task<> {
      for (int i = 0; i != 10; ++i) {
        scope.spawn(hops(i, done));
        if (seed % 3 == 0) co_await reschedule();
      }
      if (seed % 2 == 0) throw std::runtime_error("body");
    };
    auto const outer = [&]() -> task<> {
      std::string const failure = co_await failure_of(body);
      CHECK(failure == (seed % 2 == 0 ? "body" : ""));
      CHECK(tracked::alive == 0);
    };
    testing::run(outer(), seed);
  }
}

TEST_CASE("a million tasks that end at once, one after another, do not grow the stack", "[framework][async_scope]") {
  long done = 0;
  auto const one = [](long& n) -> task<> {
    ++n;
    co_return;
  };
  auto const body = [&](async_scope& scope) -> task<> {
    for (int i = 0; i != 1'000'000; ++i) scope.spawn(one(done));
    co_return;
  };
  CHECK(testing::run(failure_of(body)) == "");
  CHECK(done == 1'000'000);
}

TEST_CASE("the event loop may be destroyed under a scope", "[framework][async_scope]") {
  auto loop = std::make_unique<boost::asio::io_context>(1);
  int done = 0;
  auto const body = [&](async_scope& scope) -> task<> {
    scope.spawn(takes(1h, done));
    scope.spawn(takes(2h, done));
    co_await sleep_for(3h);
  };
  spawn(*loop, with_scope(body), [](std::exception_ptr) {});
  loop->poll();
  CHECK(tracked::alive == 2);
  loop.reset();
  CHECK(tracked::alive == 0);
}
