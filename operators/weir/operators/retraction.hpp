#pragma once
#include <weir/operators/time_window.hpp>

#include <cstdint>
#include <limits>

namespace weir {

/// The revision of a result that takes back those of its key and window before it: the highest there is, because nothing is ever said about
/// that window again.
inline constexpr std::uint32_t retracting_revision = std::numeric_limits<std::uint32_t>::max();

/// Whether a result takes back what was said about its key and window: a sink that keeps one row for each deletes that row. Its value is
/// that of no elements, so that a sink which only replaces ends with that.
///
/// `session_window` gives them, where it gives several results: a session that has grown is another window. Those come right before the
/// result that takes their place.   Source: retractions in the Dataflow model, section 2.3; the tombstones of Kafka Streams' sessions.
template <class K, class R> constexpr bool is_retraction(window_result<K, R> const& r) noexcept {
  return r.revision == retracting_revision;
}

}  // namespace weir
