#include <weir/codec.hpp>
#include <weir/error.hpp>
#include <weir/operators/detail/state_errors.hpp>

#include <utility>

namespace weir::detail {

void throw_damaged_state(std::string_view who, std::string why) {
  throw error(errc::corrupt, std::string(who) + ": cannot be restored", std::move(why),
              "start from an undamaged checkpoint that this pipeline wrote, or without one");
}

void throw_foreign_state(std::string_view who, std::string why) {
  throw error(errc::incompatible, std::string(who) + ": cannot be restored", std::move(why),
              "use the options of the pipeline that wrote the checkpoint, or start without it");
}

tally decode_counts(std::string_view who, std::span<std::byte const>& from) {
  auto const counts = decode_part<tally>(from);
  if (!counts.balanced()) throw_damaged_state(who, "its counts do not add up");
  return counts;
}

void check_restored(std::string_view who, std::span<std::byte const> left_over, tally const& counts, std::uint64_t waiting) {
  if (!left_over.empty()) throw_state_left_over();
  if (counts.open != waiting) throw_damaged_state(who, "its counts do not add up");
}

tally inherited_counts(tally const& theirs, std::uint64_t open, heir const& by) noexcept {
  tally mine = by.takes_rest() ? theirs : tally();
  mine.open = open;
  mine.in = mine.out + mine.late + mine.duplicate + mine.dead + mine.open;
  return mine;
}

}  // namespace weir::detail
