#pragma once
#include <weir/context.hpp>

#include <concepts>
#include <coroutine>

namespace weir {
namespace detail {

class rescheduling {
public:
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> void await_suspend(std::coroutine_handle<P> h) const {
    context& ctx = *h.promise().ctx;
    ctx.environment().post(resumption(h, ctx.nursery()));
  }
  void await_resume() const noexcept {}
};

}  // namespace detail

/// `co_await reschedule();` goes to the end of the event loop's queue, so that signals, timers and other partitions get their turn. For
/// long work that never waits; sources do it by themselves.
inline detail::rescheduling reschedule() noexcept { return {}; }

}  // namespace weir
