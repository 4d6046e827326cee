#pragma once
#include <cstdint>
#include <string_view>

namespace weir::testing {

/// What goes wrong with one call of something outside the process: a commit, a write to a sink, a pull from a source.
///
/// A torn write is a `fail`: a transaction of which half was written is not there.
enum class fault : std::uint8_t {
  none,
  fail,          ///< nothing is done; the caller gets `errc::unavailable`
  lost_ack,      ///< it is done, but the caller gets `errc::timed_out`
  delay,         ///< it is done, some time later
  duplicate,     ///< a write is done twice; nothing for calls that are no writes
  crash_before,  ///< the process ends, nothing is done
  crash_after,   ///< it is done, and the process ends before it hears of it
};

/// What happens to the call, for messages: "is done, but its answer is lost".
std::string_view text(fault f) noexcept;

}  // namespace weir::testing
