#pragma once
#include <weir/context.hpp>
#include <weir/spawn.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir::detail {

// Awaits a task which cancellation does not reach: it runs on the same executor, with a context of its own that nobody cancels, and with
// the system's clock also where the context's is a virtual one, since a server does not wait in virtual time.
template <class T> class to_its_end {
public:
  explicit to_its_end(task<T> work) noexcept : work_(std::move(work)) {}
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> void await_suspend(std::coroutine_handle<P> h) {
    context& ctx = *h.promise().ctx;
    waiting_ = h;
    spawn(ctx.environment().executor(), std::move(work_), ended(*this, ctx.nursery()));
  }
  T await_resume() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
    if constexpr (!std::is_void_v<T>) return std::move(*value_);
  }

private:
  // Destroyed without being called, the event loop is gone, and with it who waits.
  class ended {
  public:
    ended(to_its_end& w, nursery& home) noexcept : waits_(&w), home_(home) {}
    ended(ended&&) noexcept = default;
    ended& operator=(ended&&) noexcept = default;
    ~ended() {
      if (home_) home_->abandon();
    }
    template <class... Value> void operator()(std::exception_ptr failure, Value... value) {
      nursery_ref const home = std::move(home_);
      if (home->dead()) return;
      waits_->failure_ = std::move(failure);
      if constexpr (sizeof...(Value) != 0) waits_->value_.emplace(std::move(value)...);
      drive(waits_->waiting_);
    }

  private:
    to_its_end* waits_;
    nursery_ref home_;
  };

  task<T> work_;
  std::coroutine_handle<> waiting_;
  std::exception_ptr failure_;
  std::conditional_t<std::is_void_v<T>, std::optional<bool>, std::optional<T>> value_;
};

}  // namespace weir::detail
