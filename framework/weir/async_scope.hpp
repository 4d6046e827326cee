#pragma once
#include <weir/detail/child_group.hpp>
#include <weir/error.hpp>
#include <weir/task.hpp>

#include <exception>
#include <functional>
#include <system_error>
#include <type_traits>
#include <utility>

namespace weir {

/// Where tasks are started whose number is not known beforehand: one per connection, one per message. Exists only within
/// `with_scope`, which joins them all, so that none outlives what it refers to.
///
/// Strand only. A task that is running may start others, also while `with_scope` is waiting for the last ones.
class async_scope {
public:
  async_scope(async_scope const&) = delete;
  async_scope& operator=(async_scope const&) = delete;

  /// Starts `work` at once, up to its first wait, under a context of its own. When the scope is cancelled already it is not started.
  void spawn(task<> work) {
    if (!group_.branch().cancelled()) group_.start(run(std::move(work), *this));
  }
  /// Asks everything in the scope, the body included, to end. That they then end with `condition::cancelled` is no failure.
  void cancel() noexcept {
    stopping_ = true;
    group_.branch().cancel();
  }
  /// Tasks that have not ended.
  std::size_t running() const noexcept { return running_; }

private:
  template <class F> friend auto with_scope(F body) -> std::invoke_result_t<F&, async_scope&>;

  explicit async_scope(context& parent) noexcept : parent_(parent), group_(parent) {}

  static detail::root run(task<> work, async_scope& scope) {
    std::exception_ptr failure;
    ++scope.running_;
    {
      task<> mine = std::move(work);
      try {
        co_await std::move(mine);
      } catch (...) {
        failure = std::current_exception();
      }
    }
    --scope.running_;
    if (failure) scope.settle(std::move(failure));
    scope.group_.leave();
  }

  void settle(std::exception_ptr failure) {
    if (failure_ || (stopping_ && !parent_.cancelled() && only_cancelled(failure))) return;
    failure_ = std::move(failure);
    cancel();
  }
  static bool only_cancelled(std::exception_ptr const& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (std::system_error const& e) {
      return e.code() == condition::cancelled;
    } catch (...) {
      return false;
    }
  }

  context& parent_;
  detail::child_group group_;
  std::exception_ptr failure_;
  std::size_t running_ = 0;
  bool stopping_ = false;
};

/// Runs `body(scope)` and returns when it and everything it spawned has ended: always, also when something fails.
///
/// `body` is a function `async_scope& -> task<>`; a closure is kept until the end, so a capturing lambda coroutine is fine (name it
/// first, g++ 12 destroys a closure twice that is created beside `co_await`). The body is waited for like one of the tasks.
/// - The first failure, of the body or a task, cancels the others and is thrown at the end.
/// - Cancelled from outside: all of them are, are joined, and the cancellation is thrown.
/// - `scope.cancel()` ends them without a failure.
/// ```cpp
/// auto body = [&](async_scope& scope) -> task<> {
///   while (connection* c = co_await connections.next()) scope.spawn(serve(std::move(*c)));
/// };
/// co_await with_scope(std::move(body));
/// ```
template <class F> auto with_scope(F body) -> std::invoke_result_t<F&, async_scope&> {
  static_assert(std::is_same_v<std::invoke_result_t<F&, async_scope&>, task<>>, "weir: with_scope's body returns task<>");
  context& own = co_await current_context();
  async_scope scope(own);
  try {
    task<> main = std::invoke(body, scope);
    co_await std::move(main).under(scope.group_.branch());
  } catch (...) {
    scope.settle(std::current_exception());
  }
  co_await scope.group_.join();
  if (scope.failure_) std::rethrow_exception(scope.failure_);
}

}  // namespace weir
