#pragma once
#include <weir/error.hpp>
#include <weir/operators/detail/as_of_join_stage.hpp>
#include <weir/operators/detail/join_inputs.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/join_options.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/late.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <utility>

namespace weir {

/// Pairs each element of `left` with the last one of `right` that has its key and is not behind it in event time: the price at the time of
/// the trade. Gives `joined{key, left, right}`.
///
/// Both streams have event time and key (`... | event_time(...) | key_by(...)`), the keys are of one type. They are merged, so the slower
/// one's watermark counts. An element of `left` waits until that has passed its time, so that the answer is the same in whatever order they
/// arrive; then it is given, in the order of event times over all keys (of equal ones key by key, each in order of arrival), with its own.
/// Of elements of `right` with one event time the one that came last counts; one more than `tolerance` older is too old. With
/// `join_kind::left` an element that finds nothing is given with an empty `right`, with `inner` it is dropped; `full` is refused. An
/// element behind the watermark is late; `late` (`late::drop`, `late::side_output(f)`, where `f` takes elements of both sides) says
/// what becomes of it. `options`: its name and where it counts.
/// - Emits when: the watermark has passed an element of `left`.   Backpressures when: downstream does.
/// - Completes when: both streams have. When either was stopped, what waits is not given.
/// - Fails when: either does, or a key or the side output.   Cancelled: at the next chunk.
/// State: elements of both ahead of the watermark, and per key the last one of `right` behind it, for as long as `tolerance`; of `right` up
/// to twice as many, until the next look. Checkpointed.   `tolerance`: 0 to 20 years. Errors: `errc::invalid_option` when built;
/// `errc::out_of_range` for event times outside 1777 to 2202; `errc::corrupt` or `incompatible` when restored from something else. Source:
/// ASOF JOIN of kdb+ and DuckDB.
template <class Left, class Right, detail::late_policy Late>
auto as_of_join(Left&& left, Right&& right, std::chrono::nanoseconds tolerance, Late late, join_kind kind = join_kind::left,
                join_options const& options = join_options()) {
  detail::check_span("as_of_join", "its tolerance", tolerance, detail::span_from::zero);
  if (kind == join_kind::full) {
    throw error(errc::invalid_option, "as_of_join: cannot be built", "its kind is full, but elements on the right answer no question",
                "use join_kind::left or inner");
  }
  if constexpr (!detail::check_join_inputs<Left, Right>() || !detail::check_join_late<Late>()) {
    return detail::rejected();
  } else {
    return detail::join_through<detail::as_of_join_stage>(std::forward<Left>(left), std::forward<Right>(right), std::move(late),
                                                          options.naming(), tolerance, kind);
  }
}

}  // namespace weir
