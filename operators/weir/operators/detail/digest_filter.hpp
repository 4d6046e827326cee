#pragma once
#include <weir/operators/detail/stable_hash.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weir::detail {

// Says of a digest (64 bits, any of them as good as another) that it was never added, or that it may have been: wrong for about one in 200
// that were not. 12 bits per digest, of which one line of memory is read, and one that can be named before.
// Source: blocked Bloom filters, F. Putze, P. Sanders, J. Singler, WEA 2007.
class digest_filter {
public:
  // For `n` digests.
  explicit digest_filter(std::size_t n);
  void add(std::uint64_t digest) noexcept {
    line& l = lines_[line_of(digest)];
    std::uint64_t bits = splitmix64(digest);
    for (int i = 0; i != probes; ++i, bits >>= 9) l[(bits >> 6) & 7] |= std::uint64_t{1} << (bits & 63);
  }
  bool may_have(std::uint64_t digest) const noexcept {
    line const& l = lines_[line_of(digest)];
    std::uint64_t bits = splitmix64(digest);
    for (int i = 0; i != probes; ++i, bits >>= 9)
      if ((l[(bits >> 6) & 7] >> (bits & 63) & 1) == 0) return false;
    return true;
  }
  // Ahead of `may_have`. Inlined, as g++ 12 drops calls of functions that do nothing but fetch.
  [[gnu::always_inline]] void fetch(std::uint64_t digest) const noexcept { __builtin_prefetch(&lines_[line_of(digest)]); }

  // In bytes.
  std::size_t memory() const noexcept { return lines_.capacity() * sizeof(line); }

  void save(std::vector<std::byte>& to) const;
  // Throws errc::corrupt for what is none.
  static digest_filter restored(std::string_view who, std::span<std::byte const>& from);

private:
  static constexpr int probes = 7;
  static constexpr std::size_t bits_per_digest = 12, bits_per_line = 512;
  using line = std::array<std::uint64_t, 8>;
  std::size_t line_of(std::uint64_t digest) const noexcept { return (digest >> 32) * lines_.size() >> 32; }

  std::vector<line> lines_;
};

}  // namespace weir::detail
