#pragma once
#include <weir/task.hpp>
#include <weir/testing/simulation.hpp>

#include <optional>
#include <type_traits>

namespace weir::testing {

/// Runs a task to its end in a simulation of its own (virtual clock, seeded order of events) and returns what it returns or throws
/// what it throws: `testing::run(my_test());`.
///
/// Fails with `errc::stalled` when the task waits for something that can never happen.
template <class T> T run(task<T> work, std::uint64_t seed = 1) {
  simulation world(seed);
  return world.run(std::move(work));
}

}  // namespace weir::testing
