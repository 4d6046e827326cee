#pragma once
#include <weir/context.hpp>

#include <concepts>
#include <coroutine>
#include <deque>

namespace weir::detail {

// Mutual exclusion between coroutines of one strand, first come first served. `auto held = co_await lock.acquire();`
class async_lock {
public:
  class holder {
  public:
    explicit holder(async_lock& l) noexcept : lock_(&l) {}
    holder(holder&& o) noexcept : lock_(std::exchange(o.lock_, nullptr)) {}
    holder& operator=(holder&&) = delete;
    ~holder() {
      if (lock_) lock_->release();
    }

  private:
    async_lock* lock_;
  };

  class acquiring {
  public:
    explicit acquiring(async_lock& l) noexcept : lock_(&l) {}
    bool await_ready() const noexcept { return !std::exchange(lock_->held_, true); }
    template <std::derived_from<promise_base> P> void await_suspend(std::coroutine_handle<P> h) {
      context& ctx = *h.promise().ctx;
      lock_->waiting_.emplace_back(h, &ctx);
    }
    holder await_resume() const noexcept { return holder(*lock_); }

  private:
    async_lock* lock_;
  };
  acquiring acquire() noexcept { return acquiring(*this); }

private:
  void release() noexcept {
    if (waiting_.empty()) {
      held_ = false;
      return;
    }
    auto const [h, ctx] = waiting_.front();  // stays held: it goes on to the next
    waiting_.pop_front();
    ctx->environment().post(resumption(h, ctx->nursery()));
  }
  bool held_ = false;
  std::deque<std::pair<std::coroutine_handle<>, context*>> waiting_;
};

}  // namespace weir::detail
