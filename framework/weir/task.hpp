#pragma once
#include <weir/context.hpp>
#include <weir/detail/frame_pool.hpp>
#include <weir/detail/transfer.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {

template <class T = void> class task;

namespace detail {

struct task_promise_base : promise_base, pooled {
  struct finish {
    bool await_ready() const noexcept { return false; }
    template <class P> std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) const noexcept {
      return transfer(h.promise().continuation);
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  finish final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  std::coroutine_handle<> continuation;
  std::exception_ptr error;
};

template <class T> struct task_promise : task_promise_base {
  using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, std::optional<T>>;
  task<T> get_return_object() noexcept;
  template <class U = T>
    requires std::convertible_to<U&&, T>
  void return_value(U&& u) {
    if constexpr (std::is_reference_v<T>) value = std::addressof(u);
    else value.emplace(std::forward<U>(u));
  }
  T take() {
    if (error) std::rethrow_exception(std::exchange(error, {}));
    if constexpr (std::is_reference_v<T>) return static_cast<T>(*value);
    else return std::move(*value);
  }
  stored value{};
};

template <> struct task_promise<void> : task_promise_base {
  task<void> get_return_object() noexcept;
  void return_void() const noexcept {}
  void take() {
    if (error) std::rethrow_exception(std::exchange(error, {}));
  }
};

}  // namespace detail

/// A lazy coroutine that yields one `T` (or nothing) or fails. It starts when it is awaited, is awaited once
/// (`co_await std::move(t)`), and runs on the strand of whoever awaits it, with that one's clock and cancellation.
///
/// Destroying a task that was not started frees it. A failure is thrown by the `co_await`. Awaiting from within another task or
/// a generator costs some 8 ns, frame included; a million synchronous completions in a row do not grow the stack.
/// `spawn` starts one from plain Asio code, `testing::run` from a test.
///
/// `T` may be a reference; otherwise it is moved out. Thread-safety: strand only.
template <class T> class [[nodiscard("a task does nothing until it is awaited or spawned")]] task {
public:
  using promise_type = detail::task_promise<T>;
  using value_type = T;
  using handle = std::coroutine_handle<promise_type>;

  explicit task(handle h) noexcept : h_(h) {}
  task(task&& o) noexcept : h_(std::exchange(o.h_, {})) {}
  task& operator=(task&& o) noexcept {
    task old(std::move(*this));
    h_ = std::exchange(o.h_, {});
    return *this;
  }
  ~task() {
    if (h_) h_.destroy();
  }

  class awaiter {
  public:
    awaiter(handle h, context* ctx) noexcept : h_(h), ctx_(ctx) {}
    bool await_ready() const noexcept { return false; }
    template <std::derived_from<detail::promise_base> P> std::coroutine_handle<> await_suspend(std::coroutine_handle<P> caller) noexcept {
      h_.promise().continuation = caller;
      h_.promise().ctx = ctx_ ? ctx_ : caller.promise().ctx;
      return detail::transfer(h_);
    }
    T await_resume() { return h_.promise().take(); }

  private:
    handle h_;
    context* ctx_;
  };

  awaiter operator co_await() && noexcept { return awaiter(h_, nullptr); }
  /// Awaits it under a context of the caller's choice: a branch that can be cancelled by itself.
  awaiter under(context& c) && noexcept { return awaiter(h_, &c); }

private:
  handle h_;
};

template <class T> task<T> detail::task_promise<T>::get_return_object() noexcept { return task<T>(task<T>::handle::from_promise(*this)); }
inline task<void> detail::task_promise<void>::get_return_object() noexcept { return task<void>(task<void>::handle::from_promise(*this)); }

namespace detail {
template <class> inline constexpr bool is_task = false;
template <class T> inline constexpr bool is_task<task<T>> = true;
}  // namespace detail

}  // namespace weir
