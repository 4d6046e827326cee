#pragma once
#include <cmath>
#include <concepts>

namespace weir::detail {

// A sum and, apart from it, what its roundings lost. Knuth's two-sum gives the error of each addition exactly, whichever of the two is
// larger and without asking (The Art of Computer Programming 2, 4.2.2, theorem B); that it is kept apart until the end is Neumaier's
// (ZAMM 54, 1974, algorithm IV).
template <std::floating_point F> class compensated_sum {
public:
  void add(F x) noexcept {
    F const sum = sum_ + x;
    F const grown = sum - sum_;
    lost_ += (sum_ - (sum - grown)) + (x - grown);
    sum_ = sum;
  }
  void merge(compensated_sum const& other) noexcept {
    add(other.sum_);
    lost_ += other.lost_;
  }
  // Once the sum is infinite what was lost is not a number, and says nothing.
  F value() const noexcept { return std::isfinite(lost_) ? sum_ + lost_ : sum_; }

private:
  F sum_ = 0;
  F lost_ = 0;
};

}  // namespace weir::detail
