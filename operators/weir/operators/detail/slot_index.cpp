#include <weir/operators/detail/slot_index.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace weir::detail {

void slot_index::insert(std::uint32_t hash, std::uint32_t place) {
  if ((used_ + 1) * 5 > slots_.size() * 3) grow();
  put(slot{hash, place});
  ++used_;
}

void slot_index::erase(std::uint32_t hash, std::uint32_t place) noexcept {
  std::size_t hole = where(hash, place);
  // What comes behind moves up, unless it is at home there: no key may have a gap between its home and its slot.
  for (std::size_t i = (hole + 1) & mask_; slots_[i].place != none; i = (i + 1) & mask_) {
    std::size_t const from_home = (i - home(slots_[i].hash)) & mask_, from_hole = (i - hole) & mask_;
    if (from_home < from_hole) continue;
    slots_[hole] = slots_[i];
    hole = i;
  }
  slots_[hole] = slot();
  --used_;
}

void slot_index::clear() noexcept {
  std::ranges::fill(slots_, slot());
  used_ = 0;
}

std::size_t slot_index::where(std::uint32_t hash, std::uint32_t place) const noexcept {
  std::size_t i = home(hash);
  while (slots_[i].place != place) i = (i + 1) & mask_;
  return i;
}

void slot_index::put(slot s) noexcept {
  std::size_t i = home(s.hash);
  while (slots_[i].place != none) i = (i + 1) & mask_;
  slots_[i] = s;
}

void slot_index::grow() {
  std::vector<slot> before(std::max<std::size_t>(8, slots_.size() * 2));
  before.swap(slots_);
  mask_ = slots_.size() - 1;
  shift_ = 32U - static_cast<unsigned>(std::countr_zero(slots_.size()));
  for (slot const& s : before)
    if (s.place != none) put(s);
}

}  // namespace weir::detail
