#pragma once
#include <weir/context.hpp>

#include <chrono>
#include <memory>

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

}  // namespace weir::net::detail
