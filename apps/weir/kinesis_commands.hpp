#pragma once

#include "kinesis_options.hpp"

namespace kinesis_tool {

/// Each does what the command of its name says, and returns the exit code. Errors: `weir::error`.
int put(options const& o);
int tail(options const& o);
int leases(options const& o);
int lag(options const& o);

/// Runs the command that the command line names. `errc::invalid_option` where the library is not built.
int run_kinesis(options const& o);

}  // namespace kinesis_tool
