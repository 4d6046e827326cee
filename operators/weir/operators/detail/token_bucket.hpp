#pragma once
#include <weir/instant.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weir::detail {

// Tokens that come at a steady rate into a bucket of limited size, which starts full. Counts in 1/rate of a nanosecond, so that
// no rounding adds up. It is told the time and does not wait.
class token_bucket {
public:
  token_bucket(std::uint64_t rate, std::chrono::nanoseconds per, std::uint64_t burst) noexcept
      : rate_(rate), price_(static_cast<std::uint64_t>(per.count())), full_(burst * price_), credit_(full_) {}

  // Takes up to `wanted` tokens.
  std::size_t take(std::size_t wanted, instant now) noexcept {
    refill(now);
    auto const n = std::min<std::uint64_t>(wanted, credit_ / price_);
    credit_ -= n * price_;
    return static_cast<std::size_t>(n);
  }
  // Until the next token is whole.
  std::chrono::nanoseconds until_next(instant now) noexcept {
    refill(now);
    if (credit_ >= price_) return std::chrono::nanoseconds(0);
    return std::chrono::nanoseconds(static_cast<std::int64_t>((price_ - credit_ + rate_ - 1) / rate_));
  }

private:
  void refill(instant now) noexcept {
    if (!started_ || now < last_) {  // a wall clock may be set back
      started_ = true;
      last_ = now;
      return;
    }
    std::uint64_t const passed = static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(last_);
    std::uint64_t const missing = full_ - credit_;
    last_ = now;
    if (passed > missing / rate_) credit_ = full_;
    else credit_ += passed * rate_;
  }

  std::uint64_t rate_, price_, full_, credit_;
  instant last_ = 0;
  bool started_ = false;
};

}  // namespace weir::detail
