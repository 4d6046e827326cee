#pragma once
#include <weir/middleware.hpp>
#include <weir/retry_policy.hpp>

namespace weir {

/// Middleware that runs a failing handler again, over the stream from its frontier, as often and as late as `policy` says; then the
/// partition halts, as it does at once without this. What was finished is not repeated, what was not is never skipped.
/// ```cpp
/// pipeline.use(run_again(retry_policy().attempts(8).when([](std::exception const&) { return true; }))).use_stream(handler);
/// ```
/// A run that got further than the one before starts the count anew: only a record that fails again and again halts. Failures the
/// policy does not think worth another try, and cancellation, pass through. Waits on the context's clock.
middleware run_again(retry_policy policy = {});

}  // namespace weir
