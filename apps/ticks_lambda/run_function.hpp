#pragma once

#include <weir/aws/variables.hpp>

namespace ticks {

/// Runs the function of AWS Lambda that makes bars of the ticks in events of Kinesis: until the service ends it. Returns the exit code for
/// main. What cannot be used in its environment (`read_options`) is told to the service before it is thrown, as is what it cannot reach.
int run_function(weir::aws::variables const& from);

}  // namespace ticks
