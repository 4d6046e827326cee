#pragma once
#include <weir/operators/detail/interval_join_stage.hpp>
#include <weir/operators/detail/join_inputs.hpp>
#include <weir/operators/detail/time_limits.hpp>
#include <weir/operators/join_options.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/late.hpp>
#include <weir/stage.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace weir {

/// How far apart in event time two elements may be that belong together: the right one lies between `lower` before or behind the left one
/// and `upper`, both included. `interval(-5s, 0s)`: the right one came up to 5 s before.
class interval {
public:
  /// Each from 20 years before to 20 years behind, `lower` <= `upper`, up to 20 years apart. Throws `errc::invalid_option`.
  interval(std::chrono::nanoseconds lower, std::chrono::nanoseconds upper) : lower_(lower), upper_(upper) {
    detail::check_span("interval", "its lower end", from_zero(lower), detail::span_from::zero);
    detail::check_span("interval", "its upper end", from_zero(upper), detail::span_from::zero);
    detail::check_span("interval", "its length, upper - lower,", upper - lower, detail::span_from::zero);
  }
  std::chrono::nanoseconds lower() const noexcept { return lower_; }
  std::chrono::nanoseconds upper() const noexcept { return upper_; }

private:
  static std::chrono::nanoseconds from_zero(std::chrono::nanoseconds d) noexcept {
    return d < d.zero() ? -std::max(d, -d.max()) : d;  // there is one more below zero than above
  }
  std::chrono::nanoseconds lower_, upper_;
};

/// Pairs each element of `left` with all of `right` that have its key and lie in the interval around its event time; gives `joined{key,
/// left, right}`.
///
/// Both streams have event time and key (`... | event_time(...) | key_by(...)`), the keys are of one type. They are merged, so the slower
/// one's watermark counts. A pair is given when its second element comes, with the later of the two event times. With `join_kind::left` or
/// `full` an element that found no partner is given when the watermark has passed its last possible one, with its own event time; the
/// watermark behind the join is behind by that much. An element behind the watermark is late: its partners may be gone; `late`
/// (`late::drop`, `late::side_output(f)`, where `f` takes elements of both sides) says what becomes of it; its `lateness::window` is where
/// its partners lie. `options`: its name and where it counts.
/// - Emits when: a pair is complete, or an element can find no partner any more.   Backpressures when: downstream does.
/// - Completes when: both streams have. When either was stopped, nothing is given for want of a partner.
/// - Fails when: either does, or a key or the side output.   Cancelled: at the next chunk.
/// State: each element until the watermark has passed its last possible partner; checkpointed.
/// Errors: `errc::invalid_option` when built; `errc::out_of_range` for event times outside 1777 to 2202; `errc::corrupt` or `incompatible`
/// when restored from something else.   Source: interval join of Flink's DataStream API.
template <class Left, class Right, detail::late_policy Late>
auto interval_join(Left&& left, Right&& right, interval within, Late late, join_kind kind = join_kind::inner,
                   join_options const& options = join_options()) {
  if constexpr (!detail::check_join_inputs<Left, Right>() || !detail::check_join_late<Late>()) {
    return detail::rejected();
  } else {
    return detail::join_through<detail::interval_join_stage>(std::forward<Left>(left), std::forward<Right>(right), std::move(late),
                                                             options.naming(), within.lower(), within.upper(), kind);
  }
}

}  // namespace weir
