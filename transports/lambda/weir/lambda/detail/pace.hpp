#pragma once
#include <weir/instant.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace weir::lambda::detail {

// How many records go out at a time: as many as the handler gets through in a hundredth of a second, so that it can be stopped behind them
// when the time is up, and a quick one is not held up.
class pace {
public:
  // Of the next chunk. The handler asks for it `now`.
  std::size_t next(instant now) noexcept {
    auto const took = static_cast<double>(now - since_);
    if (size_ != 0 && took > 0)
      size_ = static_cast<std::size_t>(std::clamp(static_cast<double>(size_) * target / took, 1.0, 2.0 * static_cast<double>(size_)));
    else size_ *= 2;
    size_ = std::clamp<std::size_t>(size_, 1, most);
    since_ = now;
    return size_;
  }

private:
  static constexpr double target = 10'000'000;  // ns
  static constexpr std::size_t most = 256;
  instant since_ = 0;
  std::size_t size_ = 0;
};

}  // namespace weir::lambda::detail
