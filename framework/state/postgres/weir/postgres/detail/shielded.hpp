#pragma once
#include <weir/context.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <utility>

namespace weir::postgres::detail {

// `co_await shielded(work())` runs it on the strand of whoever awaits, but out of reach of the cancellation there and on the system's
// clock. `work` must own what it needs: when the awaiting coroutine is destroyed, it goes on to its end.
class [[nodiscard]] shielded final {
public:
  explicit shielded(task<> work) noexcept : work_(std::move(work)) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<weir::detail::promise_base> P> void await_suspend(std::coroutine_handle<P> h) { begin(h, *h.promise().ctx); }
  void await_resume() const {
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  class handler;
  void begin(std::coroutine_handle<> h, context& own);

  task<> work_;
  std::coroutine_handle<> waiting_;
  std::exception_ptr failure_;
};

}  // namespace weir::postgres::detail
