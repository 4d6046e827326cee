#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace weir::status {

/// A page that a program adds to a `server`.
struct own_page {
  /// What `type` is of a stream: `make` is asked twice a second, and what it gives are events (server-sent events, "data: ...\n\n"), for as
  /// long as who asked listens.
  static constexpr std::string_view events = "text/event-stream";

  std::string path;  ///< "/ticks/bars"; behind a "/"
  std::string type;  ///< "application/json"
  /// Makes it, from what stands behind the "?" of the request. Called on the server's thread, while the application runs or not; what it
  /// throws is an answer with status 500.
  std::function<std::string(std::string_view query)> make;
};

}  // namespace weir::status
