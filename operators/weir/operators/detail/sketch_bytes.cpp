#include <weir/operators/detail/sketch_bytes.hpp>

#include <weir/detail/state_bytes.hpp>
#include <weir/error.hpp>

namespace weir::detail {

void put_varint(std::vector<std::byte>& to, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7) to.push_back(static_cast<std::byte>(n | 0x80));
  to.push_back(static_cast<std::byte>(n));
}

std::uint64_t take_varint(std::span<std::byte const>& from) {
  std::uint64_t n = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    auto const b = std::to_integer<std::uint64_t>(take_bytes(from, 1)[0]);
    if (shift == 63 && b > 1) break;
    n |= (b & 0x7f) << shift;
    if (b < 0x80) return n;
  }
  throw_corrupt_sketch("a number in it is too long");
}

void throw_corrupt_sketch(char const* why) {
  throw error(errc::corrupt, "state: cannot be restored", why,
              "start from an undamaged checkpoint that this pipeline wrote, or without one");
}

}  // namespace weir::detail
