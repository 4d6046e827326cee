#pragma once
#include <weir/log.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

namespace weir {

/// How a `line_log` writes.
enum class log_form : std::uint8_t {
  automatic,  ///< for people where standard error is a terminal, else JSON
  text,       ///< 2024-08-08T23:54:15.342Z warning: kinesis: ...
  json,       ///< {"time":"2024-08-08T23:54:15.342Z","level":"warning","message":"kinesis: ...","partition":"3"}
};

/// What a `line_log` does.
struct line_log_options {
  /// Below it nothing is written.
  log_level least = log_level::info;
  log_form form = log_form::automatic;
  /// Messages that differ in their numbers only, as those of a loop that fails again and again do, are written once within so long; the
  /// next one that is written says how many were left out. Zero: all are written.
  std::chrono::nanoseconds repeats = std::chrono::seconds(10);
  /// Where lines go, each with its end, in one call at a time. Empty: standard error. Must not throw.
  std::function<void(std::string_view)> write = {};
  /// What time it is. Empty: the system's clocks.
  std::function<std::chrono::nanoseconds()> now = {};
};

/// A logger that writes one line per message: `settings{.log = weir::line_log()}`. In JSON the fields of a message are keys of the line
/// (`pipeline`, `stream`, `partition` where a handler's context says it), in UTF-8, whatever the message has of bytes; in text they are
/// left out, since messages say them. Errors are written whatever was said before.
///
/// Thread-safety: from any strand; copies of the logger share what is known of repeats (of the last 256 kinds of messages).
logger line_log(line_log_options options = {});

}  // namespace weir
