#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace weir {

/// How often something took how long: counts in fixed buckets, and the sum. What `metrics::observe` is given.
///
/// The buckets are the same everywhere, so that figures of partitions, workers and versions add up: 1, 2.5 and 5 times each power of ten
/// from 10 microseconds to 500 seconds, and one for what is longer. Adding costs a few comparisons and allocates nothing. A value.
class distribution {
public:
  /// The largest value of each bucket but the last, in seconds, ascending.
  static constexpr std::array<double, 24> bounds{1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 0.01, 0.025, 0.05,
                                                 0.1,  0.25,   0.5,  1,    2.5,    5,    10,   25,     50,   100,  250,   500};

  /// It took `seconds`, so often. What is below zero, as when clocks disagree, or no number, counts as zero.
  void add(double seconds, std::uint64_t times = 1) noexcept;
  distribution& operator+=(distribution const& o) noexcept;

  /// In the bucket at `i` <= bounds.size() alone; the last one is that of what is above all bounds.
  std::uint64_t count(std::size_t i) const noexcept { return counts_[i]; }
  /// In all of them.
  std::uint64_t total() const noexcept;
  /// Seconds, of all together.
  double sum() const noexcept { return sum_; }
  bool empty() const noexcept { return total() == 0; }

private:
  std::array<std::uint64_t, bounds.size() + 1> counts_{};
  double sum_ = 0;
};

}  // namespace weir
