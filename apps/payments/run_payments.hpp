#pragma once

#include "options.hpp"
#include "payment.hpp"
#include "report.hpp"

#include <weir/ledger.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

namespace payments {

/// Counts each payment once, per key and window in event time, into `out`; what became of all deliveries is counted in `books` under
/// "payments". Fails as the stream does, with a payment that cannot be placed in time, and when a sum does not fit.
weir::task<> count_payments(weir::stream<payment> deliveries, options const& o, report& out, weir::ledger books);

/// Reads the input, or the demonstration, and prints the report. Returns the exit code. Errors: `weir::error`.
int run_payments(options const& o);

}  // namespace payments
