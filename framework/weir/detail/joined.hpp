#pragma once
#include <weir/task.hpp>

namespace weir::detail {

// Runs `work` in a nursery of its own: when it returns, or throws, everything that the work started beside itself has ended too. What
// it refers to may be destroyed then, or used by the next run.
task<> joined(task<> work);

}  // namespace weir::detail
