#pragma once
#include <chrono>
#include <optional>

namespace weir::net::detail {

// When a server that is silent is asked whether it is still there, and when it is taken for gone. No I/O.
class h2_keep_alive {
public:
  using clock = std::chrono::steady_clock;
  enum class action : unsigned char { wait, ask, give_up };

  h2_keep_alive(clock::duration after, clock::duration longest, clock::time_point now) noexcept
      : after_(after), longest_(longest), heard_(now) {}

  // Anything came: it is there, whatever it was asked.
  void heard(clock::time_point now) noexcept {
    heard_ = now;
    asked_.reset();
  }
  // What to do now. `ask` is said once.
  action next(clock::time_point now) noexcept {
    if (now < due()) return action::wait;
    if (asked_) return action::give_up;
    asked_ = now;
    return action::ask;
  }
  // When to look again.
  clock::time_point due() const noexcept { return asked_ ? *asked_ + longest_ : heard_ + after_; }

private:
  clock::duration const after_, longest_;
  clock::time_point heard_;
  std::optional<clock::time_point> asked_;
};

}  // namespace weir::net::detail
