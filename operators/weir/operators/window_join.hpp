#pragma once
#include <weir/operators/detail/join_inputs.hpp>
#include <weir/operators/detail/window_pairs_stage.hpp>
#include <weir/operators/join_options.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/late.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <utility>

namespace weir {

/// Pairs all elements of `left` with all of `right` that have the same key and lie in the same window of `size` (`tumbling_window`); gives
/// `joined{key, left, right}`.
///
/// Both streams have event time and key (`... | event_time(...) | key_by(...)`), the keys are of one type. They are merged, so the slower
/// one's watermark counts. The pairs of a window come when it fires: its keys in first-seen order, elements in order of arrival, with the
/// event time `window end - 1`. With `join_kind::left` or `full` the elements of a side whose other side is empty are given alone. `late`
/// (`late::drop`, `late::side_output(f)`, where `f` takes elements of both sides) says what becomes of elements whose window has fired.
/// `options`: its name and where it counts.
/// - Emits when: a window fires.   Backpressures when: downstream does; the pairs of one firing are handed over together.
/// - Completes when: both streams have; when either was stopped, open windows do not fire.
/// - Fails when: either does, or a key or the side output.   Cancelled: at the next chunk.
/// State: the elements of open windows; checkpointed as `window_join`, or by its name.   `size`: 1 ns to 20 years.   Errors:
/// `errc::invalid_option` when built; else those of `tumbling_window` and `aggregate`.   Source: tumbling window join of Flink's DataStream
/// API.
template <class Left, class Right, detail::late_policy Late>
auto window_join(Left&& left, Right&& right, std::chrono::nanoseconds size, Late late, join_kind kind = join_kind::inner,
                 join_options const& options = join_options()) {
  if constexpr (!detail::check_join_inputs<Left, Right>() || !detail::check_join_late<Late>()) {
    return detail::rejected();
  } else {
    using L = detail::element_of<Left>;
    using R = detail::element_of<Right>;
    using key = detail::either_key<detail::key_function<Left>, detail::key_function<Right>>;
    key of(detail::key_function_of(left.shape()), detail::key_function_of(right.shape()));
    auto both = detail::merge_sides(std::forward<Left>(left), std::forward<Right>(right));
    return detail::join_in_windows<L, R>(std::move(both), std::move(of), size, detail::late_side<Late>(std::move(late)), kind,
                                         options.naming());
  }
}

}  // namespace weir
