#include <weir/codec.hpp>
#include <weir/error.hpp>

#include <cstdint>

namespace weir::detail {
namespace {

[[noreturn]] void throw_corrupt(char const* why) {
  throw error(errc::corrupt, "state: cannot be restored", why,
              "start from an undamaged checkpoint that this pipeline wrote, or without one");
}

}  // namespace

void put_size(std::vector<std::byte>& to, std::size_t n) {
  for (unsigned shift = 0; shift != 64; shift += 8) to.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(n) >> shift & 0xff));
}

void put_bytes(std::vector<std::byte>& to, void const* from, std::size_t n) {
  auto const* const bytes = static_cast<std::byte const*>(from);
  to.insert(to.end(), bytes, bytes + n);
}

std::span<std::byte const> take_bytes(std::span<std::byte const>& from, std::size_t n) {
  if (n > from.size()) throw_corrupt("its bytes are cut short");
  auto const taken = from.first(n);
  from = from.subspan(n);
  return taken;
}

std::size_t take_size(std::span<std::byte const>& from, std::size_t bytes_per_part) {
  std::uint64_t n = 0;
  auto const bytes = take_bytes(from, 8);
  for (std::size_t i = 8; i-- != 0;) n = n << 8 | static_cast<std::uint64_t>(bytes[i]);
  if (n > from.size() / bytes_per_part) throw_corrupt("a length in it is beyond its end");
  return static_cast<std::size_t>(n);
}

bool take_flag(std::span<std::byte const>& from) {
  auto const flag = take_bytes(from, 1)[0];
  if (flag > std::byte(1)) throw_corrupt("a flag in it is neither 0 nor 1");
  return flag == std::byte(1);
}

void throw_state_left_over() { throw_corrupt("it has bytes after its end"); }

}  // namespace weir::detail
