#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/operators/detail/global_window_stage.hpp>
#include <weir/operators/detail/required_argument.hpp>
#include <weir/operators/detail/window_shape.hpp>
#include <weir/operators/emit.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/trigger.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// Without expiry nothing is late, so there is nothing to say about it.
template <class Expiry, class Late> consteval bool global_late_is_said() {
  if constexpr (!expiry<Expiry>) return false;
  else if constexpr (!late_policy<Late>) return !Expiry::expires && std::same_as<Late, left_out>;
  else return Expiry::expires && !Late::updates;
}

}  // namespace detail

/// Puts all elements into one window over all time, per key where there is a `key_by`, which gives results when `trigger` says so:
/// `trigger::count(n)`, `trigger::every(period)`, `trigger::on_each()`, each `.accumulating()` (default) or `.discarding()`. The operator
/// behind it, `aggregate` or `reduce`, says what becomes of them.
///
/// Such a window has no end, so `expiry` says when a key is done with: `expire_after(d)`, when the watermark reaches the latest time of its
/// elements + `d`. It gives a last result then (`pane::on_time`; the others are `pane::early`) if elements have come since the one before,
/// and is forgotten. `never_expires()` keeps all keys for as long as the pipeline runs; the end of the data gives their last results.
///
/// Elements are in the window as they come, whatever their times: those ahead of the watermark too, and those behind it. `late`
/// (`late::drop`, `late::side_output`) is for what comes behind expiry: an element whose key is not there, and which would have expired
/// by now itself; anything else that comes for a forgotten key begins its next window. With `never_expires()` nothing is late, and there is
/// no such argument.
///
/// The window of the results, part of their identity, is [t, end of time), t the event time of the first element to come: it tells the
/// windows that a key has had one after the other apart. A result has the event time of the element that triggered it, 1 ns less than the
/// multiple of the period that did, or 1 ns less than the expiry.
/// - Emits when: the trigger says so, or a key expires.   Backpressures when: downstream does.
/// - Completes when: upstream completes; the end of the data expires all keys.   Fails when: upstream does.   Cancelled: at the next chunk.
/// State: that of the operator behind it, and per key 100 bytes in place of what is said there.
/// Errors: `errc::invalid_option` when built; `errc::incompatible` when restored and discarding now, or not any more: all else of trigger
/// and expiry may change.   Source: the Dataflow model, section 2.3; expiry is ours.
template <class Trigger, class Expiry = detail::left_out, class Late = detail::left_out>
auto global_window(Trigger trigger, Expiry expiry = Expiry(), Late late = Late()) {
  constexpr bool has_trigger = detail::window_trigger<Trigger>, has_expiry = detail::expiry<Expiry>,
                 has_late = detail::global_late_is_said<Expiry, Late>();
  static_assert(has_trigger, "weir: global_window's first argument is trigger::count(n), trigger::every(period) or trigger::on_each()");
  static_assert(!has_trigger || has_expiry,
                "weir: global_window needs to be told when a key is forgotten: global_window(trigger, expire_after(1h), late::drop()), or "
                "never_expires()");
  static_assert(!has_trigger || !has_expiry || has_late,
                "weir: global_window with expire_after needs to be told what happens to elements that come behind expiry: late::drop() or "
                "late::side_output(f); with never_expires() there are none");
  if constexpr (has_trigger && has_expiry && has_late) {
    using windows = detail::global_windows<Trigger, Expiry>;
    using policy = std::conditional_t<Expiry::expires, Late, late::drop>;
    auto said = [&]() -> policy {
      if constexpr (Expiry::expires) return std::move(late);
      else return policy();
    };
    return detail::window_description<windows, policy, emit::final>(windows(std::move(trigger), std::move(expiry)), said(), emit::final());
  } else {
    return detail::rejected_description();
  }
}

}  // namespace weir
