#pragma once

#include "lambda_options.hpp"

namespace lambda_tool {

/// Does what `weir lambda invoke` says, and returns the exit code. Errors: `weir::error`; `errc::invalid_option` where the library is not
/// built.
int invoke(options const& o);

}  // namespace lambda_tool
