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

/// Puts each element into the one window of `size` its event time lies in: [0, size), [size, 2 size), ... since the epoch, per key where
/// there is a `key_by`. The operator behind it, `aggregate` or `reduce`, says what becomes of them.
///
/// A window fires when the watermark reaches its end, for all its keys in the order in which they were first seen; then its state is gone,
/// unless `late` is `late::update`. Windows without elements do not exist. `late` (`late::drop`, `late::side_output`, `late::update`)
/// says what happens to elements whose window has fired. `emission`: `emit::final()` (default), `emit::early(every)`, `emit::on_each()`.
///
/// `.offset(d)` moves all windows by `d` (0 up to `size`). A day of a time zone that is 5:30 ahead of UTC is
/// `tumbling_window(24h, ...).offset(18h + 30min)`; zones that change their offset in the year need the day in the key instead: `key_by`
/// the local date, and a window of 48 hours.
/// - Emits when: the watermark passes the end of a window.   Backpressures when: downstream does.
/// - Completes when: upstream completes; the end of the data fires all windows.   Fails when: upstream does.
/// - Cancelled: at the next chunk.
/// State: that of the operator behind it.   `size`: 1 ns to 20 years; the offset: 0 up to `size`.
/// Errors: `errc::invalid_option` when built.   Source: fixed windows of the Dataflow model, section 2.2.
template <class Late = detail::left_out, class Emission = emit::final>
auto tumbling_window(std::chrono::nanoseconds size, Late late = Late(), Emission emission = Emission()) {
  constexpr bool has_late = detail::late_policy<Late>, has_emission = detail::emission<Emission>;
  static_assert(has_late,
                "weir: tumbling_window needs to be told what happens to late elements: tumbling_window(size, late::drop()), "
                "late::side_output(f) or late::update(allowed)");
  static_assert(!has_late || has_emission, "weir: tumbling_window's last argument is emit::final(), emit::early(every) or emit::on_each()");
  if constexpr (has_late && has_emission) {
    return detail::aligned_window_description<detail::tumbling_windows, Late, Emission>(
        detail::tumbling_windows("tumbling_window", size, size), std::move(late), std::move(emission));
  } else {
    return detail::rejected_description();
  }
}

}  // namespace weir
