#pragma once

#include "options.hpp"

namespace weblog {

/// Reads the log, writes the results, and says on standard output what came out. Returns the exit code; a run that was stopped writes
/// nothing, as results are of the whole log. Errors: `weir::error`.
int run_log(options const& o);

}  // namespace weblog
