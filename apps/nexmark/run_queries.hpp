#pragma once
#include "event.hpp"
#include "options.hpp"
#include "report.hpp"

#include <span>
#include <vector>

namespace nexmark {

/// Runs the queries that were asked for on these events, in turns with the loops by hand, and times them.
///
/// Throws `std::runtime_error` when a query and its loop do not give the same rows (but for q12, where the clock decides).
std::vector<figures> run_queries(options const& o, std::span<event> events);

}  // namespace nexmark
