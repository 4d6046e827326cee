#pragma once
#include <weir/codec.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::detail {

// An estimate of how many different hashes were added. While there are few, each is kept as a coupon of 32 bits (26 bits of it, and what a
// register would make of the others), in a table that is looked up by them; once that table would be larger than 2^precision registers, it
// becomes these. Which of the two depends only on the set of hashes, so merging equals adding, bit for bit.
class hyperloglog {
public:
  static constexpr unsigned min_precision = 4, max_precision = 18;

  // All calls for a state, and for what is merged with it, have the same precision; otherwise they throw errc::incompatible.
  void add(std::uint64_t hash, unsigned precision) {
    if (registers_.size() == std::size_t(1) << precision) [[likely]]
      raise(hash >> (64 - precision), rank_behind(hash, precision));
    else add_coupon_of(hash, precision);
  }
  void merge(hyperloglog const& other);
  double estimate() const;

  // Without registers estimates are all but exact: errors come only from hashes that have the same coupon.
  bool has_registers() const noexcept { return !registers_.empty(); }
  std::size_t heap_bytes() const noexcept { return registers_.capacity() + coupons_.capacity() * sizeof(std::uint32_t); }

  // The same bytes for the same set of hashes.
  void encode(std::vector<std::byte>& to) const;
  static hyperloglog decode(std::span<std::byte const>& from);

private:
  // The place of the first set bit behind the first `bits` ones, from 1; one more than there are when none is set.
  static std::uint8_t rank_behind(std::uint64_t hash, unsigned bits) noexcept {
    return static_cast<std::uint8_t>(std::countl_zero(hash << bits | std::uint64_t(1) << (bits - 1)) + 1);
  }
  void raise(std::uint64_t i, std::uint8_t rank) noexcept {
    if (registers_[i] < rank) registers_[i] = rank;
  }
  void add_coupon_of(std::uint64_t hash, unsigned precision);
  void add_coupon(std::uint32_t coupon);
  void raise_by(std::uint32_t coupon) noexcept;
  std::uint32_t& place_of(std::uint32_t coupon) noexcept;
  void grow();
  void use_registers();
  void check_same(unsigned precision) const;

  std::uint8_t precision_ = 0;  // of none, when nothing was added
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> coupons_;   // 0 is a free place; the size is a power of two
  std::vector<std::uint8_t> registers_;  // empty while there are coupons
};

}  // namespace weir::detail

template <> struct weir::codec<weir::detail::hyperloglog> {
  static void encode(detail::hyperloglog const& h, std::vector<std::byte>& to) { h.encode(to); }
  static detail::hyperloglog decode(std::span<std::byte const>& from) { return detail::hyperloglog::decode(from); }
};
