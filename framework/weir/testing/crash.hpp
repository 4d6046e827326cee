#pragma once
#include <weir/task.hpp>

namespace weir::testing {

/// `co_await crash();` ends the simulated process here: nothing behind it runs, nothing is told of it, and `simulation::run` throws
/// `crashed`. For handlers, stores and sinks under test.
///
/// Throws `errc::misuse` where the work does not run in a `simulation`. Strand only.
task<> crash();

}  // namespace weir::testing
