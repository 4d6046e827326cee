#include <weir/operators/detail/stable_hash.hpp>

#include <algorithm>
#include <array>

namespace weir::detail {
namespace {

constexpr std::uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f, p3 = 0x165667b19e3779f9, p4 = 0x85ebca77c2b2ae63,
                        p5 = 0x27d4eb2f165667c5;

// Little-endian on every machine; compilers make one load of it.
template <std::size_t Bytes> std::uint64_t take(std::span<std::byte const>& from) noexcept {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i != Bytes; ++i) n |= std::to_integer<std::uint64_t>(from[i]) << (8 * i);
  from = from.subspan(Bytes);
  return n;
}

constexpr std::uint64_t round(std::uint64_t lane, std::uint64_t input) noexcept { return std::rotl(lane + input * p2, 31) * p1; }

// Steps 1 to 3: four lanes over whole stripes of 32 bytes.
std::uint64_t hash_stripes(std::span<std::byte const>& from) noexcept {
  std::array<std::uint64_t, 4> lanes{p1 + p2, p2, 0, 0 - p1};
  while (from.size() >= 32)
    for (std::uint64_t& lane : lanes) lane = round(lane, take<8>(from));
  std::uint64_t h = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
  for (std::uint64_t const lane : lanes) h = (h ^ round(0, lane)) * p1 + p4;
  return h;
}

}  // namespace

std::uint64_t xxh64(std::span<std::byte const> bytes) noexcept {
  std::uint64_t const size = bytes.size();
  std::uint64_t h = (size >= 32 ? hash_stripes(bytes) : p5) + size;
  while (bytes.size() >= 8) h = std::rotl(h ^ round(0, take<8>(bytes)), 27) * p1 + p4;
  if (bytes.size() >= 4) h = std::rotl(h ^ take<4>(bytes) * p1, 23) * p2 + p3;
  while (!bytes.empty()) h = std::rotl(h ^ take<1>(bytes) * p5, 11) * p1;
  h = (h ^ h >> 33) * p2;
  h = (h ^ h >> 29) * p3;
  return h ^ h >> 32;
}

}  // namespace weir::detail
