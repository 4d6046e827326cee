#include <weir/operators/detail/hyperloglog.hpp>

#include <weir/error.hpp>
#include <weir/operators/detail/sketch_bytes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace weir::detail {
namespace {

// A coupon: `coupon_bits` of the hash, and the rank of those behind in `rank_bits`.
constexpr unsigned coupon_bits = 26, rank_bits = 6;
constexpr std::uint32_t prefix_of(std::uint32_t coupon) { return coupon >> rank_bits; }
constexpr std::uint32_t rank_of(std::uint32_t coupon) { return coupon & ((1u << rank_bits) - 1); }

// A table of coupons is at most three quarters full, and at most as large as the registers.
constexpr std::size_t smallest_table = 4;
constexpr std::size_t room(std::size_t table) { return table / 4 * 3; }
constexpr std::size_t largest_table(unsigned precision) { return (std::size_t(1) << precision) / sizeof(std::uint32_t); }

// The corrections for registers that are 0 and that are at their largest: Ertl 2017, section 4.2, algorithm 6.
double sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double y = 1, z = x, before = 0;
  do {
    x *= x;
    before = std::exchange(z, z + x * y);
    y += y;
  } while (z != before);
  return z;
}
double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double y = 1, z = 1 - x, before = 0;
  do {
    x = std::sqrt(x);
    y *= 0.5;
    before = std::exchange(z, z - (1 - x) * (1 - x) * y);
  } while (z != before);
  return z / 3;
}

double estimate_of(std::vector<std::uint8_t> const& registers, unsigned precision) {
  std::array<std::uint32_t, 64> with{};  // how many registers have each value
  for (std::uint8_t const r : registers) ++with[r];
  auto const m = static_cast<double>(registers.size());
  unsigned const bits = 64 - precision;
  double z = m * tau(1 - with[bits + 1] / m);
  for (unsigned k = bits; k != 0; --k) z = 0.5 * (z + with[k]);
  z += m * sigma(with[0] / m);
  // The constant is that for infinitely many registers, 1 / (2 ln 2), and for m of them as in Flajolet et al. 2007, figure 3.
  return m * m / (2 * std::numbers::ln2 * (1 + 1.079 / m) * z);
}

// Coupons are registers of a precision of 26, of which hardly any are used: how many hashes fill so many places.
double estimate_of_coupons(std::uint32_t used) {
  constexpr double places = 1u << coupon_bits;
  return -places * std::log1p(-(used / places));
}

}  // namespace

void hyperloglog::merge(hyperloglog const& other) {
  if (other.precision_ == 0) return;
  if (precision_ == 0) {
    *this = other;
    return;
  }
  check_same(other.precision_);
  if (other.has_registers()) {
    if (!has_registers()) use_registers();
    for (std::size_t i = 0; i != registers_.size(); ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
  } else {
    for (std::uint32_t const coupon : other.coupons_)
      if (coupon != 0) add_coupon(coupon);
  }
}

double hyperloglog::estimate() const { return has_registers() ? estimate_of(registers_, precision_) : estimate_of_coupons(used_); }

void hyperloglog::add_coupon_of(std::uint64_t hash, unsigned precision) {
  if (precision_ == 0) {
    precision_ = static_cast<std::uint8_t>(precision);
    coupons_.resize(smallest_table);
  }
  check_same(precision);
  add_coupon(static_cast<std::uint32_t>(hash >> (64 - coupon_bits) << rank_bits) | rank_behind(hash, coupon_bits));
}

void hyperloglog::add_coupon(std::uint32_t coupon) {
  if (has_registers()) return raise_by(coupon);
  std::uint32_t* place = &place_of(coupon);
  if (*place == 0) {
    if (used_ == room(coupons_.size())) {
      grow();
      if (has_registers()) return raise_by(coupon);
      place = &place_of(coupon);
    }
    ++used_;
  }
  *place = std::max(*place, coupon);  // of the same prefix
}

void hyperloglog::raise_by(std::uint32_t coupon) noexcept {
  unsigned const behind = coupon_bits - precision_;
  std::uint32_t const prefix = prefix_of(coupon), rest = prefix & ((1u << behind) - 1);
  unsigned const rank = rest != 0 ? behind - static_cast<unsigned>(std::bit_width(rest)) + 1 : behind + rank_of(coupon);
  raise(prefix >> behind, static_cast<std::uint8_t>(rank));
}

// Prefixes are parts of a hash, so their last bits will do as a place.
std::uint32_t& hyperloglog::place_of(std::uint32_t coupon) noexcept {
  std::size_t const mask = coupons_.size() - 1;
  std::size_t i = prefix_of(coupon) & mask;
  while (coupons_[i] != 0 && prefix_of(coupons_[i]) != prefix_of(coupon)) i = (i + 1) & mask;
  return coupons_[i];
}

void hyperloglog::grow() {
  if (coupons_.size() == largest_table(precision_)) return use_registers();
  auto const old = std::exchange(coupons_, std::vector<std::uint32_t>(2 * coupons_.size()));
  for (std::uint32_t const coupon : old)
    if (coupon != 0) place_of(coupon) = coupon;
}

void hyperloglog::use_registers() {
  registers_.resize(std::size_t(1) << precision_);
  for (std::uint32_t const coupon : std::exchange(coupons_, {}))
    if (coupon != 0) raise_by(coupon);
  used_ = 0;
}

void hyperloglog::check_same(unsigned precision) const {
  if (precision != precision_)
    throw error(errc::incompatible, "distinct: cannot go on with what was counted before", "it has another precision",
                "restore a checkpoint with the precision it was made with");
}

// Precision (0: nothing follows), whether there are registers, and these, or the coupons in order.
void hyperloglog::encode(std::vector<std::byte>& to) const {
  encode_state(precision_, to);
  if (precision_ == 0) return;
  encode_state(has_registers(), to);
  if (has_registers()) return put_bytes(to, registers_.data(), registers_.size());
  std::vector<std::uint32_t> sorted;
  sorted.reserve(used_);
  std::ranges::copy_if(coupons_, std::back_inserter(sorted), [](std::uint32_t coupon) { return coupon != 0; });
  std::ranges::sort(sorted);
  encode_state(sorted, to);
}

hyperloglog hyperloglog::decode(std::span<std::byte const>& from) {
  hyperloglog out;
  out.precision_ = decode_part<std::uint8_t>(from);
  if (out.precision_ == 0) return out;
  if (out.precision_ < min_precision || out.precision_ > max_precision) throw_corrupt_sketch("its precision cannot be");
  if (decode_part<bool>(from)) {
    auto const bytes = take_bytes(from, std::size_t(1) << out.precision_);
    out.registers_.resize(bytes.size());
    std::ranges::transform(bytes, out.registers_.begin(), [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    if (std::ranges::max(out.registers_) > 64 - out.precision_ + 1) throw_corrupt_sketch("a register cannot be");
    return out;
  }
  auto const coupons = decode_part<std::vector<std::uint32_t>>(from);
  if (coupons.empty() || coupons.size() > room(largest_table(out.precision_))) throw_corrupt_sketch("so many coupons cannot be");
  out.coupons_.resize(smallest_table);
  std::uint32_t last = 0;
  for (std::size_t i = 0; i != coupons.size(); ++i) {
    bool const in_order = i == 0 || prefix_of(coupons[i]) > prefix_of(last);
    if (!in_order || rank_of(coupons[i]) == 0 || rank_of(coupons[i]) > 64 - coupon_bits + 1) throw_corrupt_sketch("a coupon cannot be");
    last = coupons[i];
    out.add_coupon(last);
  }
  return out;
}

}  // namespace weir::detail
