#pragma once
#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/task.hpp>
#include <weir/virtual_clock.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>

namespace weir::testing {

/// A run of a simulation ended by a crash. No `weir::error`: nothing of the program that crashed has seen it.
class crashed final : public std::exception {
public:
  char const* what() const noexcept override { return "simulation: crashed"; }
};

/// A world for tests: one thread, a virtual clock, and an order of events drawn from a seed. What is ready runs in random order;
/// when nothing is ready, time jumps to the next timer. The same seed gives the same run; another seed gives another legal order.
///
/// Asio operations work too (they complete in real time, so a test that wants to be repeatable keeps to the clock).
///
/// A run can crash: after a number of steps, or where `testing::crash()` stands. Everything of the run is destroyed then where it is
/// suspended, as if its process had been killed; `run` throws `crashed`. What the work only had references to is still there, time does
/// not go back, and the next `run` is the restart. What Asio has under way ends with the simulation only: crash I/O in one of its own.
class simulation final : public environment {
public:
  explicit simulation(std::uint64_t seed = 1);
  ~simulation() override;

  /// Runs `work` and everything it starts to the end. Returns its result or throws its failure.
  /// Fails with `errc::stalled` when nothing is ready, no timer runs and no I/O is pending, but the work has not ended; with `crashed`
  /// when it was to crash.
  template <class T> T run(task<T> work) {
    outcome<T> out;
    begin(detail_run<T>(std::move(work), out));
    finish(out.done);
    if (out.error) std::rethrow_exception(out.error);
    if constexpr (!std::is_void_v<T>) return std::move(*out.value);
  }
  /// The context of the work under way: `world.main().cancel()` from a callback.
  context& main() noexcept;

  /// The run under way, or the next one, crashes after so many more steps, unless it has ended by then. A step is one resumption from
  /// the event loop: the work goes on to the next place where it waits. 0: before it does anything.
  void crash_after(std::uint64_t steps) noexcept;
  /// The run under way crashes as soon as the step under way is over. `co_await testing::crash()` is this for a coroutine.
  void crash() noexcept;
  /// Steps taken by all runs so far.
  std::uint64_t steps() const noexcept;

  void post(weir::detail::resumption r) override;
  virtual_clock& clock() noexcept override;
  boost::asio::any_io_executor const& executor() noexcept override;

private:
  template <class T> struct outcome {
    bool done = false;
    std::exception_ptr error;
    std::conditional_t<std::is_void_v<T>, std::optional<bool>, std::optional<T>> value;
  };
  template <class T> static weir::detail::root detail_run(task<T> work, outcome<T>& out) {
    context& own = co_await current_context();
    try {
      task<T> running = std::move(work);  // what it has kept goes before the join
      if constexpr (std::is_void_v<T>) co_await std::move(running);
      else out.value.emplace(co_await std::move(running));
    } catch (...) {
      out.error = std::current_exception();
    }
    co_await own.nursery().join();
    out.done = true;
  }
  void begin(weir::detail::root r);
  void finish(bool const& done);
  [[noreturn]] void fall();

  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::testing
