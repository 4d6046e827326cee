#pragma once
#include <weir/context.hpp>

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <deque>
#include <utility>

namespace weir::kinesis::detail {

// How many may do something at a time: coroutines of one strand, first come first served. `auto held = co_await slots.take();`
class request_slots {
public:
  class slot {
  public:
    explicit slot(request_slots& s) noexcept : slots_(&s) {}
    slot(slot&& o) noexcept : slots_(std::exchange(o.slots_, nullptr)) {}
    slot& operator=(slot&&) = delete;
    ~slot() {
      if (slots_) slots_->give_back();
    }

  private:
    request_slots* slots_;
  };

  class taking {
  public:
    explicit taking(request_slots& s) noexcept : slots_(&s) {}
    taking(taking const&) = delete;
    taking& operator=(taking const&) = delete;
    ~taking() {
      if (queued_) std::erase(slots_->waiting_, this);
    }
    bool await_ready() const noexcept {
      if (slots_->free_ == 0) return false;
      --slots_->free_;
      return true;
    }
    template <std::derived_from<weir::detail::promise_base> P> void await_suspend(std::coroutine_handle<P> h) {
      context_ = h.promise().ctx;
      handle_ = h;
      slots_->waiting_.push_back(this);
      queued_ = true;
    }
    slot await_resume() const noexcept { return slot(*slots_); }

  private:
    friend class request_slots;
    void go_on() {
      queued_ = false;
      context_->environment().post(weir::detail::resumption(handle_, context_->nursery()));
    }
    request_slots* slots_;
    context* context_ = nullptr;
    std::coroutine_handle<> handle_;
    bool queued_ = false;
  };

  explicit request_slots(std::size_t free) noexcept : free_(free) {}
  request_slots(request_slots const&) = delete;
  request_slots& operator=(request_slots const&) = delete;
  taking take() noexcept { return taking(*this); }

private:
  void give_back() noexcept {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    taking* const first = waiting_.front();  // the slot goes on to it
    waiting_.pop_front();
    first->go_on();
  }

  std::size_t free_;
  std::deque<taking*> waiting_;
};

}  // namespace weir::kinesis::detail
