#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/merging.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// Interleaves the elements of streams as they arrive.
///
/// All inputs are pulled beside each other, each a chunk ahead; what has arrived first leaves first, and inputs that always have something
/// take turns, chunk by chunk. Nothing is lost, dropped or copied, and the order within each input is kept. None at all: completes at once.
/// Each input's barriers pass, in their place among its own elements: they belong to that input's source. Idle marks end here. A stop mark
/// of any input follows the last element of all.
/// - Emits when: any input has a chunk.   Backpressures when: downstream does; every input then waits with its chunk.
/// - Completes when: all inputs have completed.
/// - Fails when: an input fails: what had arrived before is delivered, the others are cancelled and joined, then it is thrown.
/// - Cancelled: the pulls under way are cancelled and joined, then `errc::cancelled` is thrown. Dropped half-way: the same, joined by the
/// run. State: none.   Streams with event time are refused: their watermarks would have to meet. Errors: none of its own.   Source: `merge`
/// of Reactive Extensions.
template <class T> stream<T> merge(std::vector<stream<T>> inputs) { return detail::emit_merged<T>(std::move(inputs)); }

/// The same for streams and chains given one by one; they need the same element type.
template <stream_like First, stream_like... Rest> auto merge(First&& first, Rest&&... rest) {
  using element = typename std::remove_cvref_t<First>::value_type;
  constexpr bool owned = !std::is_lvalue_reference_v<First> && (!std::is_lvalue_reference_v<Rest> && ...);
  constexpr bool untimed = !std::remove_cvref_t<First>::timed && (!std::remove_cvref_t<Rest>::timed && ...);
  constexpr bool same = (std::is_same_v<element, typename std::remove_cvref_t<Rest>::value_type> && ...);
  static_assert(owned, "weir: a stream has one consumer; write merge(std::move(stream), ...)");
  static_assert(untimed, "weir: merge cannot join event times; merge first, then event_time");
  static_assert(same, "weir: merge needs streams of the same element type; map them first");
  if constexpr (owned && untimed && same) {
    std::vector<stream<element>> inputs;
    inputs.reserve(1 + sizeof...(Rest));
    inputs.push_back(stream<element>(std::forward<First>(first)));
    (inputs.push_back(stream<element>(std::forward<Rest>(rest))), ...);
    return detail::emit_merged<element>(std::move(inputs));
  } else {
    return detail::rejected();
  }
}
/// Refused: their watermarks would have to meet. Merge first, then use `event_time`.
template <class T> auto merge(std::vector<timed_stream<T>> inputs) = delete;

}  // namespace weir
