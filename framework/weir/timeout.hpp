#pragma once
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/task.hpp>

#include <chrono>

namespace weir {
namespace detail {

// A branch that is cancelled when its time is up.
class deadline final : private timer {
public:
  deadline(context& parent, std::chrono::nanoseconds limit) : branch_(parent) { parent.clock().start(*this, limit); }
  context& branch() noexcept { return branch_; }
  bool passed() const noexcept { return passed_; }

private:
  void fire() noexcept override {
    passed_ = true;
    branch_.cancel();
  }
  context branch_;
  bool passed_ = false;
};

[[noreturn]] void throw_timed_out(std::chrono::nanoseconds limit);

}  // namespace detail

/// Awaits `work` for at most `limit` (on the context's clock). When the time is up the work is cancelled and, as always, joined:
/// the call returns when the work has ended. A result that came all the same is returned, so nothing is lost.
///
/// Fails with `errc::timed_out` when the cancelled work ended by `condition::cancelled`, else with whatever the work failed
/// with. `limit` <= 0 cancels as soon as the work first waits. Cancelled from outside: passes it on.
template <class T> task<T> with_timeout(std::chrono::nanoseconds limit, task<T> work) {
  context& own = co_await current_context();
  detail::deadline limited(own, limit);
  try {
    co_return co_await std::move(work).under(limited.branch());
  } catch (error const& e) {
    if (!limited.passed() || e.code() != condition::cancelled) throw;
  }
  detail::throw_timed_out(limit);
}

}  // namespace weir
