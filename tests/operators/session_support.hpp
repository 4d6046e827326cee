// Sessions for tests: results as texts, where `-a[0,10)` takes back what was said about a window.
#pragma once
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/retraction.hpp>
#include <weir/operators/session_window.hpp>

#include "operators/timed_support.hpp"

namespace weir::test {

template <class K, class R> std::string said(window_result<K, R> const& r) {
  return is_retraction(r) ? "-" + text(r.key) + text(r.window) : text(r);
}
template <class Chain> stream<std::string> as_said(Chain chain) {
  return std::move(chain) | map([](auto const& r) { return said(r); });
}

/// The elements of each key in sessions with a gap of 10 ns.
template <class Late, class Emission = emit::final> auto count_sessions(stream<event> s, ns bound, Late late, Emission e = Emission()) {
  return in_time(std::move(s), bound) | key_by(&event::key) | session_window(10ns, std::move(late), std::move(e)) | aggregate(count());
}
/// What they come to, whatever the chunks.
template <class Late, class Emission = emit::final>
std::string sessions_of(std::string const& line, ns bound, Late late, Emission e = Emission()) {
  return same_for_all_chunkings(events(line), [&](stream<event> s) { return as_said(count_sessions(std::move(s), bound, late, e)); });
}

}  // namespace weir::test
