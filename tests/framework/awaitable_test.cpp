#include <weir/awaitable.hpp>

#include <weir/sleep.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>

#include <stdexcept>
#include <string>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;
namespace asio = boost::asio;

namespace {

stream<long> numbers(long n, long wait_every) {
  tracked const local(1);
  for (long i = 0; i < n; ++i) {
    if (i % wait_every == wait_every - 1) co_await sleep_for(10us);
    co_yield long(i);
  }
}
stream<long> broken() {
  co_yield 1;
  throw std::runtime_error("source broke");
}
asio::awaitable<void> add_up(stream<long> s, long& sum) {
  awaitable_stream<long> in(co_await asio::this_coro::executor, std::move(s));
  while (long* x = co_await in.next()) sum += *x;
}

}  // namespace

TEST_CASE("asio::awaitable code pulls a stream that waits now and then, a million times without recursion", "[framework][awaitable]") {
  asio::io_context io(1);
  long sum = 0;
  asio::co_spawn(io, add_up(numbers(1'000'000, 100'000), sum), asio::detached);
  io.run();
  CHECK(sum == 499'999'500'000);
  CHECK(tracked::alive == 0);
}

TEST_CASE("a stream's failure is thrown in the awaitable", "[framework][awaitable]") {
  asio::io_context io(1);
  long sum = 0;
  std::string what;
  asio::co_spawn(io, add_up(broken(), sum), [&](std::exception_ptr e) {
    try {
      std::rethrow_exception(e);
    } catch (std::exception const& x) {
      what = x.what();
    }
  });
  io.run();
  CHECK(sum == 1);
  CHECK(what == "source broke");
}

TEST_CASE("an awaitable that stops half-way drops the stream", "[framework][awaitable]") {
  asio::io_context io(1);
  auto first = []() -> asio::awaitable<long> {
    awaitable_stream<long> in(co_await asio::this_coro::executor, numbers(10, 3));
    long* x = co_await in.next();
    co_return *x;
  };
  long got = -1;
  asio::co_spawn(io, first(), [&](std::exception_ptr, long x) { got = x; });
  io.run();
  CHECK(got == 0);
  CHECK(tracked::alive == 0);
}

TEST_CASE("an event loop that is destroyed with a pull pending destroys both sides", "[framework][awaitable]") {
  long sum = 0;
  {
    asio::io_context io(1);
    auto slow = []() -> stream<long> {
      tracked const local(1);
      co_await sleep_for(1h);
    };
    asio::co_spawn(io, add_up(slow(), sum), asio::detached);
    io.poll();
    CHECK(tracked::alive == 1);
  }
  CHECK(tracked::alive == 0);
}
