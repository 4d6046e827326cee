#pragma once
#include <weir/position.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir {

/// How far a partition is completely done while its records complete in any order: a checkpoint at `position()` loses nothing.
/// ```cpp
/// frontier done(start);
/// auto const a = done.issue(position(10)), b = done.issue(position(20));
/// done.complete(b);   // position() is still `start`
/// done.complete(a);   // position() is 20
/// ```
/// It only moves forward. State: 33 bytes per record between the frontier and the last one issued (`gap()`), none for other records.
/// Everything is O(1), amortised. Not thread-safe.
class frontier {
public:
  /// Counts the records of a partition in the order in which they were issued, from 0.
  using ordinal = std::uint64_t;

  /// `start`: where the partition is resumed; everything up to there is done.
  explicit frontier(weir::position start = {}) noexcept : done_(start), last_(start) {}

  /// A record begins its way. `p` must be after the last one issued (and after the start); throws `errc::misuse`.
  ordinal issue(weir::position const& p);
  /// The record is done. Throws `errc::misuse` when it was never issued or was completed before; nothing changes then.
  void complete(ordinal n);
  /// All records up to `n` included are done, those among them that were completed before too. Nothing when the frontier is past it.
  /// Throws `errc::misuse` when `n` was never issued; nothing changes then.
  void complete_up_to(ordinal n);

  /// The largest position such that every record up to it is done.
  weir::position const& position() const noexcept { return done_; }
  /// The position of the last record issued.
  weir::position const& issued() const noexcept { return last_; }
  /// Records issued that are past `position()`, done or not: what a crash would repeat.
  std::size_t gap() const noexcept { return static_cast<std::size_t>(next_ - first_); }
  /// Bytes on the heap.
  std::size_t memory() const noexcept { return positions_.capacity() * sizeof(weir::position) + bits_.capacity() * sizeof(std::uint64_t); }

private:
  std::size_t slot(ordinal n) const noexcept { return static_cast<std::size_t>(n) & (positions_.size() - 1); }
  bool is_done(ordinal n) const noexcept { return bits_[slot(n) / 64] >> (slot(n) % 64) & 1; }
  void advance_to(ordinal n) noexcept;
  void resize(std::size_t slots);
  [[noreturn]] void refuse(ordinal n, char const* why) const;

  // Two rings of the same power of two: positions, and one bit for "done". Slots outside [first_, next_) have their bit clear.
  std::vector<weir::position> positions_;
  std::vector<std::uint64_t> bits_;
  ordinal first_ = 0;  // the first one that is not done
  ordinal next_ = 0;   // to be issued
  weir::position done_, last_;
};

}  // namespace weir
