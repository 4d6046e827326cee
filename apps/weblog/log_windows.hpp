#pragma once

#include "hit.hpp"
#include "options.hpp"
#include "results.hpp"

#include <weir/ledger.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

namespace weblog {

/// What the results of a log are made with, and where they go. Outlives the pipelines.
struct log_run {
  explicit log_run(options const& o) : settings(o) {}
  options const& settings;
  results out;
  weir::ledger books;  ///< what became of the requests, under the results' names
};

// One result each: the hits in windows in event time, and every row of the windows that fire into `run.out`, corrections in the place of
// what they correct. Each ends with the stream, and fails with it, or with a hit that cannot be placed in time.

weir::task<> count_sessions(weir::stream<hit> hits, log_run& run);
weir::task<> count_statuses(weir::stream<hit> hits, log_run& run);
weir::task<> count_sliding(weir::stream<hit> hits, log_run& run);
weir::task<> rank_clients(weir::stream<hit> hits, log_run& run);
weir::task<> watch_errors(weir::stream<hit> hits, log_run& run);

}  // namespace weblog
