#include <weir/operators/detail/number_set.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace weir::detail {

bool number_set::insert_zero() noexcept { return !std::exchange(zero_, true); }

void number_set::grow() {
  std::vector<std::uint64_t> before(std::max<std::size_t>(16, slots_.size() * 2));
  before.swap(slots_);
  mask_ = slots_.size() - 1;
  most_ = slots_.size() / 10 * 7;
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(slots_.size()));
  for (std::uint64_t const n : before) {
    if (n == 0) continue;
    std::size_t i = home(n);
    while (slots_[i] != 0) i = (i + 1) & mask_;
    slots_[i] = n;
  }
}

}  // namespace weir::detail
