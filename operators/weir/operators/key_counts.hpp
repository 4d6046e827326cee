#pragma once
#include <cstdint>

namespace weir {

/// The books of an operator that keeps state per key (`process`, keyed `scan`). Part of its checkpoints.
struct key_counts {
  std::uint64_t open = 0;            ///< keys that have state now
  std::uint64_t expired = 0;         ///< keys that went because nothing touched them for long enough
  std::uint64_t forgotten = 0;       ///< keys that their function let go
  std::uint64_t timers_dropped = 0;  ///< timers that went with a key instead of firing
  std::uint64_t late = 0;            ///< elements behind the watermark; they were processed all the same

  friend bool operator==(key_counts const&, key_counts const&) = default;
};

}  // namespace weir
