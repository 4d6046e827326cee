#pragma once
#include <weir/net/variables.hpp>

namespace weir::aws {

/// The environment in which settings are looked for; AWS takes a variable that is empty for one that is not set.
using variables = net::variables;
/// That of this process.
using net::process_variables;

}  // namespace weir::aws
