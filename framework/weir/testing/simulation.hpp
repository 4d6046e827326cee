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

/// A world for tests: one thread, a virtual clock, and an order of events drawn from a seed. What is ready runs in random order;
/// when nothing is ready, time jumps to the next timer. The same seed gives the same run; another seed gives another legal order.
///
/// Asio operations work too (they complete in real time, so a test that wants to be repeatable keeps to the clock).
class simulation final : public environment {
public:
  explicit simulation(std::uint64_t seed = 1);
  ~simulation() override;

  /// Runs `work` and everything it starts to the end. Returns its result or throws its failure.
  /// Fails with `errc::stalled` when nothing is ready, no timer runs and no I/O is pending, but the work has not ended.
  template <class T> T run(task<T> work) {
    outcome<T> out;
    begin(detail_run<T>(std::move(work), out));
    finish(out.done);
    if (out.error) std::rethrow_exception(out.error);
    if constexpr (!std::is_void_v<T>) return std::move(*out.value);
  }
  /// The context of the work under way: `world.main().cancel()` from a callback.
  context& main() noexcept;

  void post(detail::resumption r) override;
  virtual_clock& clock() noexcept override;
  boost::asio::any_io_executor const& executor() noexcept override;

private:
  template <class T> struct outcome {
    bool done = false;
    std::exception_ptr error;
    std::conditional_t<std::is_void_v<T>, std::optional<bool>, std::optional<T>> value;
  };
  template <class T> static detail::root detail_run(task<T> work, outcome<T>& out) {
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
  void begin(detail::root r);
  void finish(bool const& done);

  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::testing
