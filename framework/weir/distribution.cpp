#include <weir/distribution.hpp>

#include <algorithm>
#include <numeric>

namespace weir {

void distribution::add(double seconds, std::uint64_t times) noexcept {
  if (!(seconds > 0)) seconds = 0;
  auto const bucket = static_cast<std::size_t>(std::ranges::lower_bound(bounds, seconds) - bounds.begin());
  counts_[bucket] += times;
  sum_ += seconds * static_cast<double>(times);
}

distribution& distribution::operator+=(distribution const& o) noexcept {
  for (std::size_t i = 0; i != counts_.size(); ++i) counts_[i] += o.counts_[i];
  sum_ += o.sum_;
  return *this;
}

std::uint64_t distribution::total() const noexcept { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

}  // namespace weir
