#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/required_argument.hpp>
#include <weir/operators/detail/session_window_stage.hpp>
#include <weir/operators/detail/window_shape.hpp>
#include <weir/operators/retraction.hpp>

#include <chrono>
#include <utility>

namespace weir {

/// Puts elements whose event times follow each other by less than `gap` into one window, a session, per key where there is a `key_by`:
/// [first, last + gap). A silence of exactly `gap` starts the next one. The operator behind it, `aggregate` or `reduce`, says what becomes
/// of them.
///
/// Elements may come in any order: one that comes between two sessions makes them one. A session fires when the watermark reaches its end;
/// sessions fire in the order of their ends, of equal ends the first seen first. Then its state is gone, unless `late` is `late::update`.
///
/// `late` (`late::drop`, `late::side_output`, `late::update`) says what happens to an element that joins no session there is, and whose
/// own, [t, t + gap), would have fired: `lateness::window` is that one. An element that is behind the watermark by less than the gap is not
/// late. It joins what is still there; what has fired stays as it was said. With `late::update` sessions are there until the watermark
/// reaches their end + `allowed_lateness`; one that has fired and grows fires again, at once (`pane::late`) if the watermark has passed its
/// new end too, else when it does.
///
/// `emission`: `emit::final()` (default); `emit::early(every)`, at multiples of `every` since the epoch; `emit::on_each()`.
///
/// Where a session may give several results, it may have grown in between, and then has another window than the one that was said. Its next
/// result is preceded by a retraction (`is_retraction`) of each window that it, or a session that has become part of it, was said to have:
/// a sink with a row per key and window that replaces rows, and deletes them on retractions, holds at any time the sessions last said, and
/// at the end those a batch job would find. Revisions count on from one window to the next; sessions that merge go on from the higher. With
/// `emit::final()`, and without `late::update`, there are no retractions.
/// - Emits when: the watermark passes the end of a session.   Backpressures when: downstream does.
/// - Completes when: upstream completes; the end of the data fires all sessions.   Fails when: upstream does.   Cancelled: at the next
/// chunk. State: that of the operator behind it, and per open session 96 bytes (168 where it may give several results) in place of what is
/// said there; a key without sessions is forgotten. An element costs O(log n) where its key has n sessions open, and no more than a look-up
/// where it has one.
/// `gap`: 1 ns to 20 years.   Errors: `errc::invalid_option` when built; `errc::incompatible` when restored with another gap.
/// Source: the Dataflow model, sections 2.2 and 2.3.
template <class Late = detail::left_out, class Emission = emit::final>
auto session_window(std::chrono::nanoseconds gap, Late late = Late(), Emission emission = Emission()) {
  constexpr bool has_late = detail::late_policy<Late>, has_emission = detail::emission<Emission>;
  static_assert(has_late,
                "weir: session_window needs to be told what happens to late elements: session_window(gap, late::drop()), "
                "late::side_output(f) or late::update(allowed)");
  static_assert(!has_late || has_emission, "weir: session_window's last argument is emit::final(), emit::early(every) or emit::on_each()");
  if constexpr (has_late && has_emission) {
    return detail::window_description<detail::session_windows, Late, Emission>(detail::session_windows(gap), std::move(late),
                                                                               std::move(emission));
  } else {
    return detail::rejected_description();
  }
}

}  // namespace weir
