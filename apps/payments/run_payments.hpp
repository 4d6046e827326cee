#pragma once

#include "options.hpp"
#include "payment.hpp"
#include "window_sum.hpp"

#include <weir/ledger.hpp>
#include <weir/stream.hpp>

#include <functional>

namespace payments {

/// What becomes of a payment that is set aside.
using set_aside = std::function<void(payment const&)>;

/// Counts each payment once, per key and window in event time; a window that is corrected is given again. What became of all deliveries is
/// counted in `books` under "payments"; payments that came too late for their windows are given to `late` unless `o` drops them.
/// Fails as the stream does, with a payment that cannot be placed in time, and when a sum does not fit.
weir::stream<window_sum> sums_of_windows(weir::stream<payment> deliveries, options const& o, set_aside late, weir::ledger const& books);

/// Reads the input, or the demonstration, and prints the report. Returns the exit code. Errors: `weir::error`.
int run_payments(options const& o);

}  // namespace payments
