#include <weir/frontier.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace weir {
namespace {
constexpr std::size_t least_slots = 64;
}

frontier::ordinal frontier::issue(weir::position const& p) {
  if (p <= last_) {
    throw error(errc::misuse, "frontier: cannot issue a record", "its position is not after the last one, " + last_.text(),
                "records of a partition have to be issued in order")
        .with_position(p.text());
  }
  if (gap() == positions_.size()) resize(std::max(least_slots, positions_.size() * 2));
  positions_[slot(next_)] = last_ = p;
  return next_++;
}

void frontier::complete(ordinal n) {
  if (n >= next_) refuse(n, "it was never issued");
  if (n < first_ || is_done(n)) refuse(n, "it was completed before");
  bits_[slot(n) / 64] |= std::uint64_t(1) << slot(n) % 64;
  if (n == first_) advance_to(n + 1);
}

void frontier::complete_up_to(ordinal n) {
  if (n >= next_) refuse(n, "it was never issued");
  if (n >= first_) advance_to(n + 1);
}

// What is before `n` is done, and what is done already from there on.
void frontier::advance_to(ordinal n) noexcept {
  while (first_ != n) {
    std::size_t const at = slot(first_);
    auto const count = std::min<ordinal>(n - first_, 64 - at % 64);
    bits_[at / 64] &= ~((~std::uint64_t(0) >> (64 - count)) << at % 64);
    first_ += count;
  }
  while (first_ != next_) {
    std::size_t const at = slot(first_);
    auto const count = std::min<ordinal>(static_cast<ordinal>(std::countr_one(bits_[at / 64] >> at % 64)), next_ - first_);
    if (count == 0) break;
    bits_[at / 64] &= ~((~std::uint64_t(0) >> (64 - count)) << at % 64);
    first_ += count;
  }
  done_ = positions_[slot(first_ - 1)];
  if (positions_.size() > least_slots && gap() * 8 <= positions_.size()) {
    try {
      resize(positions_.size() / 2);
    } catch (std::bad_alloc const&) {
      return;  // smaller can wait
    }
  }
}

void frontier::resize(std::size_t slots) {
  std::vector<weir::position> positions(slots);
  std::vector<std::uint64_t> bits(slots / 64);
  for (ordinal n = first_; n != next_; ++n) {
    std::size_t const to = static_cast<std::size_t>(n) & (slots - 1);
    positions[to] = positions_[slot(n)];
    bits[to / 64] |= std::uint64_t(is_done(n)) << to % 64;
  }
  positions_ = std::move(positions);
  bits_ = std::move(bits);
}

void frontier::refuse(ordinal n, char const* why) const {
  throw error(errc::misuse, "frontier: cannot complete record " + std::to_string(n), why,
              "complete each record once, with the number it was issued")
      .with_position(done_.text());
}

}  // namespace weir
