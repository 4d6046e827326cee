#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weir::kinesis {

/// How workers share the leases of a stream. All workers of an application need the same `failover` and `handoff`. Times are of each
/// worker's own clock, which nobody compares with another's. The names in brackets are KCL's.
struct lease_options {
  /// How long a lease is good after it was renewed, > 0 (failoverTimeMillis). A third of it passes between two renewals, and a quarter
  /// between two scans of the table, whose rows take some 300 bytes each. Shorter: more is written and read, and what a dead worker had is
  /// taken sooner: 1 to 1.25 times this after its last renewal. It cannot be less than that: a row tells that it was renewed by its
  /// counter, and not when, so that others count from when they have seen it, a quarter late at worst, and may not come before it has run
  /// out.
  std::chrono::nanoseconds failover = std::chrono::seconds(10);
  /// Most leases that a worker holds, >= 1 (maxLeasesForWorker).
  std::size_t most_leases = SIZE_MAX;
  /// Most leases that are taken from the worker that has most, each time the table is looked at, >= 1 (maxLeasesToStealAtOneTime).
  std::size_t most_stolen = 1;
  /// How long the worker from which a lease is taken may go on to finish what it has (graceful lease handoff), >= 0. 0: not at all, which
  /// is how KCL 1 and 2 do it. A worker of theirs does not hand over, so that what is taken from it rests for so long.
  std::chrono::nanoseconds handoff = std::chrono::seconds(30);
};

}  // namespace weir::kinesis
