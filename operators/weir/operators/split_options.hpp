#pragma once
#include <chrono>
#include <cstddef>

namespace weir {

/// What the other half of a split does when one is dropped before its end.
enum class split_dropped {
  fail,     ///< fails with `errc::misuse`, so that nothing is lost silently
  discard,  ///< goes on; what belongs to the dropped half is discarded, and counts as done
};

/// How the halves of a `split` depend on each other.
struct split_options {
  /// Elements of one half that may wait while the other reads on; at least 1.
  std::size_t capacity = 1024;
  /// When a half is dropped before its end.
  split_dropped when_dropped = split_dropped::fail;
  /// How long a half waits for room in the other when nobody has ever asked that one for anything, or only whoever waits here, or when it
  /// is held where the halves meet: then it fails with `errc::stalled`, as it would wait forever. Above zero.
  std::chrono::nanoseconds patience = std::chrono::minutes(1);
};

}  // namespace weir
