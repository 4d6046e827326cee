#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>

namespace command_line {

/// What happens with a record that comes when its window has closed.
enum class late_policy {
  drop,    ///< it is counted, and nothing else
  side,    ///< it is counted and set aside, where it can be looked at
  update,  ///< its window is corrected, as long as it is not older than `event_time_options::lateness`
};

/// How a program deals with records that come out of order. Lengths of time in ns.
struct event_time_options {
  std::int64_t bound = 0;  ///< how far behind the newest one a record may be and is never late; 0: none may be behind
  late_policy late = late_policy::drop;
  std::int64_t lateness = 3'600'000'000'000;  ///< `update`: how long a window can be corrected after it closed; > 0
};

/// Adds `--bound`, `--late` and `--lateness`; what `o` has are the defaults.
void add_event_time_options(CLI::App& app, event_time_options& o);

}  // namespace command_line
