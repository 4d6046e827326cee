#pragma once

#include "decimal.hpp"

#include <string>
#include <vector>

namespace ticks {

/// How the demonstration folds a tick into its bar.
enum class demo_fold {
  idempotent,  ///< a tick at or before the last one applied is skipped
  naive,       ///< `volume += size`, whatever was there before
};

/// What came of it.
struct demo_outcome {
  decimal volume;                  ///< of the only bar
  std::vector<std::string> story;  ///< what happened, a line each
};

/// Six ticks, prices 10 to 15, sizes 1, 2, 4, 8, 16, 32, go through windows of three. Handling the fifth fails once; the source then
/// delivers again what came after the last checkpoint, the fourth tick included. The sum of the sizes is 63: the idempotent fold ends
/// there, the naive one has the fourth tick twice and ends with 71.
demo_outcome demonstrate(demo_fold fold);

/// Prints the demonstration. Returns the exit code, 0.
int run_demo(demo_fold fold);

}  // namespace ticks
