#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/aligned_windows.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/required_argument.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/late.hpp>

#include <chrono>
#include <utility>

namespace weir {

/// Puts each element into all windows of `size` that contain its event time; one starts every `slide`, counted from the epoch, per key
/// where there is a `key_by`. The operator behind it, `aggregate` or `reduce`, says what becomes of them.
///
/// Everything said of `tumbling_window` holds, per window: an element may be late for one window and on time for the next, and counts once
/// for each. With `emit::final` and without `late::update`, an element is folded into one slice, however many windows it is in, and
/// slices are merged when a window fires; then a window's keys come slice by slice, in first-seen order within each. With the others it is
/// folded into each of its windows.
/// - Emits when: the watermark passes the end of a window.   Backpressures when: downstream does.
/// - Completes when: upstream completes; the end of the data fires all windows.   Fails when: upstream does.
/// - Cancelled: at the next chunk.
/// State: that of the operator behind it.
/// `size`: 1 ns to 20 years; `slide`: 1 ns to `size`, and so that an element is in at most 100,000 windows; `.offset(d)`: 0 up to `slide`.
/// Errors: `errc::invalid_option` when built, also for a slide larger than the size, which would lose elements between two windows.
/// Source: the Dataflow model, section 2.2; slices: Krishnamurthy et al., "On-the-fly sharing for streamed aggregation", SIGMOD 2006.
template <class Late = detail::left_out, class Emission = emit::final>
auto sliding_window(std::chrono::nanoseconds size, std::chrono::nanoseconds slide, Late late = Late(), Emission emission = Emission()) {
  constexpr bool has_late = detail::late_policy<Late>, has_emission = detail::emission<Emission>;
  static_assert(has_late,
                "weir: sliding_window needs to be told what happens to late elements: sliding_window(size, slide, late::drop()), "
                "late::side_output(f) or late::update(allowed)");
  static_assert(!has_late || has_emission, "weir: sliding_window's last argument is emit::final(), emit::early(every) or emit::on_each()");
  if constexpr (has_late && has_emission) {
    return detail::aligned_window_description<detail::sliding_windows, Late, Emission>(
        detail::sliding_windows("sliding_window", size, slide), std::move(late), std::move(emission));
  } else {
    return detail::rejected_description();
  }
}

}  // namespace weir
