#pragma once
#include <weir/cancellation.hpp>
#include <weir/detail/nursery.hpp>
#include <weir/environment.hpp>

#include <concepts>

namespace weir {
namespace detail {
class memory_account;
class watched_operators;
}  // namespace detail

/// What a running coroutine has around it: its strand, clock and hooks (the `environment`), and its cancellation. It is handed
/// from whoever awaits or pulls to whoever is awaited or pulled, so no signature carries it; `co_await current_context()` names it.
///
/// Contexts form a tree: cancelling one cancels all below it. Strand only.
class context final : private cancellation_callback {
public:
  context() = default;  // of a root, before it is started
  /// A branch: the same strand and clock, a cancellation of its own below `parent`'s. It must not outlive `parent`.
  explicit context(context& parent) noexcept { attach(*parent.home_, &parent); }

  weir::clock& clock() const noexcept { return environment().clock(); }
  weir::environment& environment() const noexcept { return home_->env(); }
  logger& log() const noexcept { return environment().log; }
  detail::nursery& nursery() const noexcept { return *home_; }

  /// Asks everything that runs under this context to end: pending I/O and timers complete with `errc::cancelled`, pulls throw it.
  void cancel() noexcept { cancelled_.request(); }
  bool cancelled() const noexcept { return cancelled_.requested(); }
  cancellation_state& cancelling() noexcept { return cancelled_; }
  weir::cancellation cancellation() const noexcept { return weir::cancellation(cancelled_); }

  /// For authors of operators: where those count the memory they hold; null: nobody counts it, as outside of a pipeline.
  detail::memory_account* memory() const noexcept { return memory_; }
  /// For hosts: of this context, and of those that are made below it.
  void memory(detail::memory_account* m) noexcept { memory_ = m; }
  /// The same for those that can be looked at from outside; null: nobody looks.
  detail::watched_operators* watched() const noexcept { return watched_; }
  void watched(detail::watched_operators* w) noexcept { watched_ = w; }

private:
  friend class detail::nursery;
  void attach(detail::nursery& home, context* parent) noexcept {
    home_ = &home;
    if (!parent) return;
    memory_ = parent->memory_;
    watched_ = parent->watched_;
    if (parent->cancelled()) cancelled_.request();
    else parent->cancelled_.add(*this);
  }
  void on_cancel() noexcept override { cancelled_.request(); }

  detail::nursery* home_ = nullptr;
  detail::memory_account* memory_ = nullptr;
  detail::watched_operators* watched_ = nullptr;
  cancellation_state cancelled_;
};

namespace detail {

class current_context_awaiter {
public:
  bool await_ready() const noexcept { return false; }
  template <std::derived_from<promise_base> P> bool await_suspend(std::coroutine_handle<P> h) noexcept {
    ctx_ = h.promise().ctx;
    return false;
  }
  context& await_resume() const noexcept { return *ctx_; }

private:
  context* ctx_ = nullptr;
};

struct root::promise_type : promise_base, pooled {
  struct finish {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(handle h) const noexcept {
      nursery_ref const home = std::move(h.promise().home);  // lives until the frame and its context are gone
      std::coroutine_handle<> const next = home->leave(h.promise());
      h.destroy();
      return next ? transfer(next) : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  root get_return_object() noexcept { return root(handle::from_promise(*this)); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  finish final_suspend() const noexcept { return {}; }
  void unhandled_exception() const noexcept { std::terminate(); }  // every root body catches
  void return_void() const noexcept {}

  context own;
  nursery_ref home;
  promise_type *previous = nullptr, *next = nullptr;
};

}  // namespace detail

/// `context& c = co_await current_context();` in a task or a generator. Never suspends.
inline detail::current_context_awaiter current_context() noexcept { return {}; }

}  // namespace weir
