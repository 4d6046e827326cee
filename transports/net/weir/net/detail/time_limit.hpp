#pragma once
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::net::detail {

// A branch that is cancelled when its time is up, by the system's clock: the server at the other end has no other, and a virtual one would
// run away from it.
class time_limit {
public:
  time_limit(context& parent, std::chrono::nanoseconds limit);
  time_limit(time_limit const&) = delete;
  time_limit& operator=(time_limit const&) = delete;
  ~time_limit();
  context& branch() noexcept { return branch_; }
  // Its own doing, not its parent's.
  bool passed() const noexcept { return passed_; }

private:
  struct wait;
  context branch_;
  std::shared_ptr<wait> wait_;
  bool passed_ = false;
};

// Awaits `work` for so long. Fails with errc::timed_out, which says that `what` was not done, and which option is the limit.
template <class T> task<T> within(std::chrono::milliseconds limit, task<T> work, std::string_view what, std::string_view option) {
  context& own = co_await current_context();
  time_limit limited(own, limit);
  try {
    co_return co_await std::move(work).under(limited.branch());
  } catch (error const& e) {
    if (!limited.passed() || e.code() != condition::cancelled) throw;
  }
  fail_in_time(what, limit.count(), option);
}

}  // namespace weir::net::detail
