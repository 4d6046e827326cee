#include <weir/kinesis/sequence_number.hpp>

#include <weir/kinesis/detail/decimal.hpp>

namespace weir::kinesis {

std::optional<position> position_of(std::string_view sequence_number, std::uint64_t sub) noexcept {
  auto const words = detail::parse_decimal<3>(sequence_number);
  if (!words || sub >> 61 != 0) return std::nullopt;
  return position((*words)[0], (*words)[1], (*words)[2], sub);
}

std::string sequence_number_of(position const& p) {
  std::array<std::uint64_t, 3> const words{p[0], p[1], p[2]};
  return detail::decimal_text(words);
}

std::uint64_t sub_sequence_number_of(position const& p) noexcept { return p[3]; }

}  // namespace weir::kinesis
