#pragma once

#include "hit.hpp"
#include "result_rows.hpp"
#include "result_table.hpp"

#include <weir/ledger.hpp>

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace weblog {

/// A silence that ends a session.
inline constexpr std::chrono::minutes session_gap(30);
/// Length of the windows of statuses, of the sliding counts and of the top clients.
inline constexpr std::chrono::hours window_length(1);
/// How often a sliding window begins.
inline constexpr std::chrono::minutes window_slide(10);
/// Clients per hour.
inline constexpr std::size_t top_clients = 3;
/// Length of the windows that are watched for errors.
inline constexpr std::chrono::minutes alert_window(5);

/// What the results are called: their files have ".csv" behind it, and the ledger counts under these names.
inline constexpr std::string_view sessions_name = "sessions-30m", statuses_name = "status-per-hour", sliding_name = "sliding-1h-every-10m",
                                  top_clients_name = "top3-clients-per-hour", alerts_name = "alerts-5m", late_name = "late";

/// All that comes out of a log.
struct results {
  result_table<session_row> sessions;
  result_table<status_row> statuses;
  result_table<sliding_row> sliding;
  result_table<top_client_row> top;
  result_table<alert_row> alerts;
  result_table<late_row> late;

  /// Sets aside a request that came too late for the result of that name.
  void add_late(std::string_view result, hit const& h);

  /// Writes a file per result, `late.csv` where anything was set aside, and `ledger.json`, each whole or not at all, into a folder that
  /// exists. Files of an earlier run are replaced; a `late.csv` of one is removed. Errors: `weir::error` with the file's name.
  void write(std::string const& folder, std::map<std::string, weir::tally, std::less<>> const& books) const;
};

/// The ledger as JSON: `{"sessions-30m": {"in": 10000, "out": 9990, "late": 10, "duplicate": 0, "dead": 0, "open": 0}, ...}`, a line per
/// name.
std::string ledger_text(std::map<std::string, weir::tally, std::less<>> const& books);

}  // namespace weblog
