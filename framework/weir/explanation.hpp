#pragma once
#include <weir/instant.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weir {

/// What keeps a partition's event time where it is.
enum class partition_state : std::uint8_t {
  reading,         ///< it is asked for data, or has just given some: its watermark is what its last event allows
  quiet,           ///< it is asked and finds nothing, not yet for long enough to be idle: it still holds the others
  idle,            ///< it found nothing for so long that it no longer holds the others
  back_pressured,  ///< it has data which nobody takes: not idle, it holds the others until it is read
  stopped,         ///< it was stopped (drain, lost lease): its data goes on without us, so it holds the others for good
  ended,           ///< its data has ended: it holds nobody
};

/// One input's event time.
struct partition_time {
  std::string name;
  instant watermark = start_of_time;
  instant highest = start_of_time;  ///< the highest event time seen; `start_of_time`: none yet
  partition_state state = partition_state::reading;
  std::optional<instant> since;  ///< since when, by the pipeline's clock; nothing where it is not known
};

/// A window that has elements and did not close.
struct open_window {
  std::string operator_name;
  instant start = start_of_time, end = end_of_time;
  std::size_t keys = 0;
  std::uint64_t elements = 0;
  instant watermark = start_of_time;  ///< where its operator is
  std::size_t windows = 1;            ///< more: this sums up so many, of which there would be too many to list
  bool fired = false;                 ///< its result was given; it is kept for late elements until `closes`
  instant closes = end_of_time;       ///< the watermark at which its state goes
};

/// Why time does not pass: which inputs there are and what holds each of them, and which windows wait. `stream::explain()` makes one.
///
/// As data, and as sentences for people (`text()`). A picture of one moment; a value.
class explanation {
public:
  std::vector<partition_time> partitions;
  std::vector<open_window> windows;

  /// The partition that holds the watermark of all: the lowest of those that are neither idle nor ended, the first of equals; null when
  /// none does.
  partition_time const* holder() const noexcept;
  /// One sentence per partition and per window: what, since when, why, and what would change it.
  std::string text() const;
};

/// Knows a part of an explanation.
class explainer {
public:
  virtual void explain(explanation& e) const = 0;

protected:
  ~explainer() = default;
};

}  // namespace weir
