#pragma once

#include "options.hpp"

namespace ticks {

/// Runs the pipeline that `o` describes: from the input, or the built-in market, to bars. Shows progress and the last bars. Returns the
/// exit code: 0 all of the input is in the bars, or SIGTERM came and what was read before it is; 130 likewise for SIGINT; 1 it failed, the
/// reason was printed as one line on standard error. Errors that keep it from starting are thrown as `weir::error`.
int run_bars(options const& o);

}  // namespace ticks
