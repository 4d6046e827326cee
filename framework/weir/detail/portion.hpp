#pragma once
#include <weir/chunk.hpp>
#include <weir/position.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace weir::detail {

// How much of a partition one attempt is handed out: all there is, or a portion, behind which the stream ends although its data does not.
// Counts records from the start of the attempt.
class portion {
public:
  static constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  // The one record of an attempt that is given no other.
  struct single {
    single(weir::position at, std::string bytes) noexcept : position(at), payload(std::move(bytes)) {}
    weir::position position;
    std::string payload;
  };

  // Of the attempts to come, >= 1.
  void limit(std::uint64_t n) noexcept { limit_ = n; }
  std::uint64_t limit() const noexcept { return limit_; }
  void begin() noexcept {
    handed_ = done_ = committed_ = 0;
    ended_ = false;
    single_.reset();
  }

  bool used_up() const noexcept { return handed_ >= limit_; }
  // What of a chunk may be handed out. The marks behind its last element come again with what follows.
  template <class R> chunk<R> of(chunk<R> c) const noexcept {
    if (c.elements.size() <= limit_ - handed_) return c;
    auto const n = static_cast<std::size_t>(limit_ - handed_);
    auto const marks = std::find_if(c.marks.begin(), c.marks.end(), [n](mark const& m) { return m.at >= n; });
    return chunk<R>(c.elements.first(n), c.times, c.marks.first(static_cast<std::size_t>(marks - c.marks.begin())));
  }
  void hand_out(std::uint64_t n) noexcept { handed_ += n; }
  std::uint64_t handed() const noexcept { return handed_; }

  // The stream has ended because the portion had, and the handler has seen its end.
  void end() noexcept { ended_ = true; }
  bool ended() const noexcept { return ended_; }

  void done(std::uint64_t n) noexcept { done_ = std::max(done_, n); }
  std::uint64_t done() const noexcept { return done_; }
  void committed(std::uint64_t n) noexcept { committed_ = n; }
  // How many of the records the failure of the attempt may be about, at most; or of a commit that was refused.
  std::uint64_t in_doubt() const noexcept { return handed_ - done_; }
  std::uint64_t uncommitted() const noexcept { return handed_ - committed_; }

  bool of_one() const noexcept { return limit_ == 1; }
  void hand_out_alone(weir::position at, std::string payload) { single_.emplace(at, std::move(payload)); }
  std::optional<single> const& alone() const noexcept { return single_; }

private:
  std::uint64_t limit_ = all;
  std::uint64_t handed_ = 0, done_ = 0, committed_ = 0;
  bool ended_ = false;
  std::optional<single> single_;
};

}  // namespace weir::detail
