#pragma once
#include <chrono>
#include <cstdint>

namespace weir {

/// How often a worker writes its checkpoint, beside the end of the stream and `checkpointer::checkpoint`. Whichever comes first.
/// A crash repeats at most what came after the last commit.
struct commit_policy {
  /// After this many records; at least 1.
  std::uint64_t records = 100'000;
  /// After this long, when something was done since; above zero.
  std::chrono::nanoseconds every = std::chrono::seconds(1);
};

}  // namespace weir
