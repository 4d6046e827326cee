#include <weir/timeout.hpp>

#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <weir/asio.hpp>
#include <weir/spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

using namespace weir;
using namespace std::chrono_literals;

namespace {

task<int> takes(std::chrono::nanoseconds d, bool* joined = nullptr) {
  struct noting {
    explicit noting(bool* flag) : flag(flag) {}
    ~noting() {
      if (flag) *flag = true;
    }
    bool* flag;
  } const at_end(joined);
  co_await sleep_for(d);
  co_return 7;
}
task<int> stubborn() {
  try {
    co_await sleep_for(1h);
  } catch (error const&) {}
  co_return 9;
}

}  // namespace

TEST_CASE("work that is done in time gives its result", "[framework][timeout]") {
  auto body = []() -> task<> {
    int const x = co_await with_timeout(2s, takes(1s));
    CHECK(x == 7);
  };
  testing::run(body());
}

TEST_CASE("work that takes too long is cancelled, joined, and reported as timed out", "[framework][timeout]") {
  auto body = []() -> task<> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    bool joined = false, timed_out = false;
    try {
      co_await with_timeout(1s, takes(1h, &joined));
    } catch (error const& e) {
      timed_out = e.code() == errc::timed_out;
      CHECK(joined);
      CHECK(e.code() == condition::retryable);
    }
    CHECK(timed_out);
    CHECK(own.clock().now() - start == 1'000'000'000);
  };
  testing::run(body());
}

TEST_CASE("a result that comes in spite of the timeout is not lost", "[framework][timeout]") {
  auto body = []() -> task<> {
    int const x = co_await with_timeout(1s, stubborn());
    CHECK(x == 9);
  };
  testing::run(body());
}

TEST_CASE("cancellation from outside is passed on as such", "[framework][timeout]") {
  auto body = []() -> task<> {
    context& own = co_await current_context();
    own.cancel();
    bool cancelled = false;
    try {
      co_await with_timeout(1h, takes(1s));
    } catch (error const& e) {
      cancelled = e.code() == condition::cancelled && e.code() != errc::timed_out;
    }
    CHECK(cancelled);
  };
  testing::run(body());
}

TEST_CASE("a timeout reaches an Asio operation", "[framework][timeout]") {
  boost::asio::io_context io(1);
  bool timed_out = false;
  auto waits = [](boost::asio::io_context& loop) -> task<> {
    boost::asio::steady_timer timer(loop, 1h);
    co_await timer.async_wait(use);
  };
  auto body = [&]() -> task<> {
    try {
      auto work = waits(io);
      co_await with_timeout(1ms, std::move(work));
    } catch (error const& e) {
      timed_out = e.code() == errc::timed_out;
    }
  };
  spawn(io, body(), [](std::exception_ptr) {});
  io.run();
  CHECK(timed_out);
}

TEST_CASE("a wait that nobody can end is reported, not hung", "[framework][simulation]") {
  struct never {
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<>) const {}
    void await_resume() const {}
  };
  auto body = []() -> task<> { co_await never(); };
  try {
    testing::run(body());
    FAIL("returned");
  } catch (error const& e) {
    CHECK(e.code() == errc::stalled);
  }
}
