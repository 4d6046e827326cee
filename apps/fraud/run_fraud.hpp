#pragma once

#include "alert.hpp"
#include "login.hpp"
#include "options.hpp"

#include <weir/operators/key_counts.hpp>
#include <weir/stream.hpp>

#include <memory>

namespace fraud {

/// The alerts that logins give rise to, in the order in which they become certain; `counts` keeps the books of the accounts. Fails as the
/// stream does, and with a login that cannot be placed in time.
weir::stream<alert> alerts_of(weir::stream<login> logins, options const& o, std::shared_ptr<weir::key_counts> counts);

/// Reads the input, or the built-in logins, and writes the alerts. Returns the exit code. Errors: `weir::error`.
int run_fraud(options const& o);

}  // namespace fraud
