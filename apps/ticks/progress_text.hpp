#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ticks {

/// Where a run stands.
struct progress_figures {
  std::uint64_t records = 0;           ///< ticks read in this run
  std::uint64_t rate = 0;              ///< ticks per second at present
  std::int64_t event_time = 0;         ///< of the last tick, ns since the epoch; meaningless while `records` is 0
  std::uint64_t open = 0;              ///< ticks in bars that are open
  std::uint64_t done = 0;              ///< of the input: bytes of a file, ticks of the built-in market
  std::optional<std::uint64_t> total;  ///< of the same; null when it has no known end
  bool bytes = false;                  ///< what `done` and `total` count
};

/// One line for a terminal of `width` columns, without a line's end: a bar where the end is known, then records, rate, lag (the part of
/// the input not read yet), ticks in open bars, and the event time.
std::string progress_text(progress_figures const& figures, std::size_t width);

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
/// 1234567 bytes as "1.2 MB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace ticks
