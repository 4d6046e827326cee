#pragma once
#include <weir/context.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>

namespace weir {
namespace detail {

class sleeping final : private timer, private cancellation_callback {
public:
  explicit sleeping(std::chrono::nanoseconds delay) noexcept : delay_(delay) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) { return begin(*h.promise().ctx, h); }
  void await_resume() const {
    if (cancelled_) throw_cancelled();
  }

private:
  bool begin(context& ctx, std::coroutine_handle<> h);
  void fire() noexcept override;
  void lost() noexcept override;
  void on_cancel() noexcept override;

  std::chrono::nanoseconds delay_;
  context* ctx_ = nullptr;
  std::coroutine_handle<> waiting_;
  bool cancelled_ = false;
};

}  // namespace detail

/// `co_await sleep_for(1s);` waits on the context's clock: real time in production, virtual time in tests. A delay that is not
/// positive still lets everything else that is due run first. Cancelled: throws `errc::cancelled` at once.
inline detail::sleeping sleep_for(std::chrono::nanoseconds delay) noexcept { return detail::sleeping(delay); }

}  // namespace weir
