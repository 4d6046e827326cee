#include <weir/asio.hpp>

#include <weir/spawn.hpp>
#include <weir/stream.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/tracked.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect_pipe.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/asio/write.hpp>

#include <string>

using namespace weir;
using namespace std::chrono_literals;
using weir::test::tracked;
namespace asio = boost::asio;

namespace {

void run_on(asio::io_context& io, task<> work) {
  std::exception_ptr failure;
  spawn(io, std::move(work), [&](std::exception_ptr e) { failure = e; });
  io.run();
  if (failure) std::rethrow_exception(failure);
}

stream<char> bytes_of(asio::readable_pipe& pipe) {
  tracked const local(1);
  std::string buffer(16, ' ');
  for (;;) {
    auto const [failed, n] = co_await pipe.async_read_some(asio::buffer(buffer), asio::as_tuple(use));
    if (failed) co_return;
    co_yield std::span<char>(buffer.data(), n);
  }
}

task<> forever(asio::io_context& io) {
  tracked const local(1);
  asio::steady_timer timer(io, 1h);
  co_await timer.async_wait(use);
}
stream<int> stuck(asio::io_context& io) {
  tracked const local(2);
  co_yield 1;
  co_await forever(io);
}

}  // namespace

TEST_CASE("a generator awaits I/O and yields what it read", "[framework][asio]") {
  asio::io_context io(1);
  asio::readable_pipe in(io);
  asio::writable_pipe out(io);
  asio::connect_pipe(in, out);
  std::string got;
  auto reader = [&]() -> task<> {
    auto s = bytes_of(in);
    while (char* c = co_await s.next()) got += *c;
  };
  auto writer = [&]() -> task<> {
    std::string const text = "a weir lets the river through";
    std::size_t const n = co_await asio::async_write(out, asio::buffer(text), use);
    CHECK(n == text.size());
    out.close();
  };
  spawn(io, reader(), asio::detached);
  run_on(io, writer());
  CHECK(got == "a weir lets the river through");
  CHECK(tracked::alive == 0);
}

TEST_CASE("an operation's error is thrown with its code, or given with as_tuple", "[framework][asio]") {
  asio::io_context io(1);
  auto body = [&]() -> task<> {
    asio::readable_pipe closed(io);
    std::string buffer(1, ' ');
    auto const [code, n] = co_await closed.async_read_some(asio::buffer(buffer), asio::as_tuple(use));
    CHECK(code == asio::error::bad_descriptor);
    CHECK(n == 0);
    bool thrown = false;
    try {
      co_await closed.async_read_some(asio::buffer(buffer), use);
    } catch (error const& e) {
      thrown = e.code() == std::error_code(boost::system::error_code(asio::error::bad_descriptor));
    }
    CHECK(thrown);
  };
  run_on(io, body());
}

TEST_CASE("cancellation reaches the operation that is awaited, through a generator", "[framework][asio]") {
  asio::io_context io(1);
  asio::cancellation_signal signal;
  bool cancelled = false;
  auto body = [&]() -> task<> {
    auto s = stuck(io);
    int* first = co_await s.next();
    CHECK(first != nullptr);
    asio::post(io, [&] { signal.emit(asio::cancellation_type::terminal); });
    try {
      co_await s.next();
    } catch (error const& e) {
      cancelled = e.code() == condition::cancelled;
    }
    CHECK(tracked::alive == 0);
    // Under a cancelled context nothing starts any more.
    bool refused = false;
    asio::steady_timer timer(io, 1h);
    try {
      co_await timer.async_wait(use);
    } catch (error const& e) {
      refused = e.code() == condition::cancelled;
    }
    CHECK(refused);
  };
  spawn(io, body(), asio::bind_cancellation_slot(signal.slot(), asio::detached));
  io.run();
  CHECK(cancelled);
}

TEST_CASE("ten million operations that complete at once do not grow the stack", "[framework][asio]") {
  asio::io_context io(1);
  long done = 0;
  auto body = [&]() -> task<> {
    for (; done < 10'000'000; ++done) co_await asio::dispatch(use);
  };
  run_on(io, body());
  CHECK(done == 10'000'000);
}

TEST_CASE("an event loop that is destroyed destroys the coroutines that wait for it", "[framework][asio]") {
  {
    asio::io_context io(1);
    auto body = [](asio::io_context& loop) -> task<> {
      tracked const local(3);
      auto s = stuck(loop);
      while (co_await s.next()) {}
    };
    spawn(io, body(io), asio::detached);
    spawn(io, forever(io), asio::detached);  // never started
    io.poll_one();
    io.poll_one();
    CHECK(tracked::alive > 0);
  }
  CHECK(tracked::alive == 0);
}

TEST_CASE("asio::awaitable code is awaited through co_spawn", "[framework][asio]") {
  asio::io_context io(1);
  auto theirs = [](int x) -> asio::awaitable<int> {
    co_await asio::post(asio::use_awaitable);
    co_return x * 2;
  };
  auto body = [&]() -> task<> {
    int const twice = co_await asio::co_spawn(io, theirs(21), use);
    CHECK(twice == 42);
  };
  run_on(io, body());
}
