#pragma once

#include "hub_options.hpp"

namespace hub_tool {

/// Each does what the command of its name says, and returns the exit code. Errors: `weir::error`.
int partitions(options const& o);
int send(options const& o);
int tail(options const& o);
int lag(options const& o);
int ownership(options const& o);

/// Runs the command that the command line names. `errc::invalid_option` where the library is not built.
int run_eventhubs(options const& o);

}  // namespace hub_tool
