// For the tests of operators that run something beside their consumer.
#pragma once
#include <weir/sleep.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/simulation.hpp>
#include <weir/timeout.hpp>
#include <weir/when_any.hpp>

#include "operators/support.hpp"

#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// Orders of events that every such operator is tried with.
inline constexpr std::uint64_t seeds = 60;

/// What work saw: how many ran, how many at once.
struct work_log {
  std::size_t begun = 0, running = 0, most = 0, done = 0, cancelled = 0;
};
/// Counts from its construction to its end.
class in_work {
public:
  explicit in_work(work_log& log) : log_(log) {
    ++log_.begun;
    log_.most = std::max(log_.most, ++log_.running);
  }
  in_work(in_work const&) = delete;
  in_work& operator=(in_work const&) = delete;
  ~in_work() { --log_.running; }

private:
  work_log& log_;
};

/// Elements with so much (virtual) time before each.
inline stream<int> slow_numbers(int first, int last, std::chrono::nanoseconds gap, work_log* log = nullptr) {
  work_log unused;
  in_work const here(log ? *log : unused);
  for (int i = first; i != last; ++i) {
    co_await sleep_for(gap);
    co_yield int(i);
  }
}

/// The first n elements; then the stream is dropped.
template <class T> task<std::vector<T>> take_and_drop(stream<T> from, std::size_t n) {
  stream<T> s = std::move(from);
  std::vector<T> out;
  while (out.size() != n) {
    T* const x = co_await s.next();
    if (!x) break;
    out.push_back(std::move(*x));
  }
  co_return out;
}

/// Drains a stream and cancels that after `d`.
template <class T> task<seen<T>> drain_for(stream<T> s, std::chrono::nanoseconds d) {
  auto const pause = [](std::chrono::nanoseconds time) -> task<> { co_await sleep_for(time); };
  auto both = when_any(drain(std::move(s)), pause(d));
  auto ended = co_await std::move(both);
  co_return std::get<0>(ended.outcomes).get();
}

/// One pull, as a task: with a context of its own under with_timeout and the like.
template <class T> task<T> pull_one(stream<T>& s) {
  T* const x = co_await s.next();
  REQUIRE(x);
  co_return std::move(*x);
}
/// All elements, each pulled under a context that is gone afterwards.
template <class T> task<std::vector<T>> pull_each_under_its_own(stream<T> from, std::size_t n) {
  stream<T> s = std::move(from);
  std::vector<T> out;
  while (out.size() != n) {
    auto one = with_timeout(std::chrono::hours(1), pull_one(s));
    out.push_back(co_await std::move(one));
  }
  co_return out;
}

/// Takes each element's time over it.
template <class T> task<std::vector<T>> drain_slowly(stream<T> from, std::chrono::nanoseconds each) {
  stream<T> s = std::move(from);
  std::vector<T> out;
  while (T* const x = co_await s.next()) {
    out.push_back(std::move(*x));
    co_await sleep_for(each);
  }
  co_return out;
}

/// Destroys the event loop while the stream waits for something that would take hours.
template <class T> void destroy_loop_under(stream<T> s) {
  auto loop = std::make_unique<boost::asio::io_context>(1);
  bool ended = false;
  spawn(*loop, drain(std::move(s)), [&](std::exception_ptr, seen<T>) { ended = true; });
  loop->poll();
  CHECK_FALSE(ended);
  loop.reset();
  CHECK_FALSE(ended);
}

}  // namespace weir::test
