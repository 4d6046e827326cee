#pragma once
#include <weir/context.hpp>
#include <weir/outcome.hpp>
#include <weir/task.hpp>

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

namespace weir::detail {

// Coroutines that run beside the one which waits for all of them, each under a context of its own below the group's. What they
// yield lies in the frame of the one who waits, which therefore must not end before them.
class child_group {
public:
  explicit child_group(context& parent) noexcept : branch_(parent) {}
  context& branch() noexcept { return branch_; }

  // Starts a child at once, up to its first wait.
  void start(root r) {
    ++running_;
    branch_.nursery().start(r, branch_);
  }
  // The last thing a child does.
  void leave() {
    if (--running_ == 0 && waiting_) drive(std::exchange(waiting_, {}));
  }

  class joining {
  public:
    explicit joining(child_group& g) noexcept : group_(&g) {}
    bool await_ready() const noexcept { return group_->running_ == 0; }
    void await_suspend(std::coroutine_handle<> h) const noexcept { group_->waiting_ = h; }
    void await_resume() const noexcept {}

  private:
    child_group* group_;
  };
  // Until no child is left, however they end. Cancellation reaches the children, and so ends this wait.
  joining join() noexcept { return joining(*this); }

private:
  context branch_;
  std::size_t running_ = 0;
  std::coroutine_handle<> waiting_;
};

// The task's frame, with what was passed to it, is gone when the group hears of its end.
template <class T, class Group> root run_child(task<T> work, outcome<T>& out, Group& group, std::size_t index) {
  {
    task<T> mine = std::move(work);
    try {
      if constexpr (std::is_void_v<T>) {
        co_await std::move(mine);
        out.emplace();
      } else {
        out.emplace(co_await std::move(mine));
      }
    } catch (...) {
      out.fail(std::current_exception());
    }
  }
  group.settled(index, out.error());
  group.leave();
}

}  // namespace weir::detail
