#include <weir/spawn.hpp>

#include <weir/asio.hpp>
#include <weir/sleep.hpp>

#include "support/catch.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <atomic>
#include <future>
#include <stdexcept>

using namespace weir;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

task<int> answer() {
  co_await sleep_for(1ms);
  co_return 42;
}
task<> broken() {
  co_await sleep_for(0ms);
  throw std::runtime_error("broken");
}

}  // namespace

TEST_CASE("spawn starts from the event loop, not from within the call", "[framework][spawn]") {
  asio::io_context io(1);
  bool started = false, done = false;
  auto body = [](bool& flag) -> task<> {
    flag = true;
    co_return;
  };
  spawn(io, body(started), [&](std::exception_ptr) { done = true; });
  CHECK_FALSE(started);
  io.run();
  CHECK(started);
  CHECK(done);
}

TEST_CASE("spawn completes by callback, future, awaitable and another task", "[framework][spawn]") {
  asio::io_context io(1);
  int by_callback = 0, by_awaitable = 0, by_task = 0;
  spawn(io, answer(), [&](std::exception_ptr, int x) { by_callback = x; });
  std::future<int> future = spawn(io, answer(), asio::use_future);
  auto theirs = [](asio::io_context& loop, int& out) -> asio::awaitable<void> {
    out = co_await spawn(loop, answer(), asio::use_awaitable);
  };
  asio::co_spawn(io, theirs(io, by_awaitable), asio::detached);
  auto ours = [](asio::io_context& loop, int& out) -> task<> { out = co_await spawn(loop, answer(), use); };
  spawn(io, ours(io, by_task), asio::detached);
  io.run();
  CHECK(by_callback == 42);
  CHECK(future.get() == 42);
  CHECK(by_awaitable == 42);
  CHECK(by_task == 42);
}

TEST_CASE("a failure reaches the token", "[framework][spawn]") {
  asio::io_context io(1);
  std::future<void> future = spawn(io, broken(), asio::use_future);
  io.run();
  CHECK_THROWS_AS(future.get(), std::runtime_error);
}

TEST_CASE("the handler runs on its associated executor", "[framework][spawn]") {
  asio::io_context work(1), other(1);
  bool ran = false;
  spawn(work, answer(), asio::bind_executor(other, [&](std::exception_ptr, int) { ran = true; }));
  work.run();
  CHECK_FALSE(ran);
  other.run();
  CHECK(ran);
}

TEST_CASE("tasks on strands of a thread pool run one at a time each", "[framework][spawn]") {
  asio::thread_pool pool(2);
  std::atomic<int> finished = 0;
  auto body = [](int& unguarded) -> task<> {
    for (int i = 0; i < 1000; ++i) {
      ++unguarded;
      co_await asio::post(use);
    }
  };
  int count[2] = {0, 0};
  for (int& c : count) {
    auto const strand = asio::make_strand(pool);
    for (int i = 0; i < 2; ++i) spawn(asio::any_io_executor(strand), body(c), [&](std::exception_ptr) { ++finished; });
  }
  pool.join();
  CHECK(finished == 4);
  CHECK(count[0] == 2000);
  CHECK(count[1] == 2000);
}

TEST_CASE("cancelling before the task has started is not lost", "[framework][spawn]") {
  asio::io_context io(1);
  asio::cancellation_signal signal;
  bool cancelled = false;
  spawn(io, answer(), asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e, int) { cancelled = e != nullptr; }));
  signal.emit(asio::cancellation_type::total);
  io.run();
  CHECK(cancelled);
}
