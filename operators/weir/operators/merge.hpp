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
/// A barrier passes in its place among the elements of its input. Inputs that are branches of one `split` reach a checkpoint together:
/// whichever has come to it waits until the others have, or have ended, and one barrier passes, so that what is behind is saved with all
/// from before the checkpoint and nothing from after it; a restore likewise. (Branches are known by the streams that generators take as
/// parameters, by value or in a `std::vector`.) A stop mark of any input follows the last element of all. When all inputs say that they are
/// idle, the merge says it, with the shortest of their quiet times.
///
/// Streams with event time give one with event time: `merge(a, b) | key_by(...) | tumbling_window(...)`; a key does not pass. The
/// watermark is the lowest of the inputs that hold it. It never goes back, and rises at the place where an input's rises, also inside a
/// chunk, so what is late depends on no chunk size. An input that has ended holds nobody, nor does one from which `event_time` lets an
/// idle mark pass (`idle_after`), until it gives an element or a watermark again. An input with elements that wait here is
/// back-pressured, not idle. When all have ended the watermark goes to `end_of_time` and all windows fire; a stream that was stopped
/// (drain, lost lease) holds the others where it was, and nothing open fires. `explain()` says what each input does, and which one holds
/// the others; `event_time(...).partition(name)` names it, else it has its number, from 0.
/// - Emits when: any input has a chunk.   Backpressures when: downstream does; every input then waits with its chunk.
/// - Completes when: all inputs have completed.
/// - Fails when: an input fails: what had arrived before is delivered, the others are cancelled and joined, then it is thrown.
/// - Cancelled: the pulls under way are cancelled and joined, then `errc::cancelled` is thrown. Dropped half-way: the same, joined by the
///   run.
/// State: none; with event time 16 bytes, checkpointed with each input's barriers: its watermark and that of the whole.   Errors: none of
/// its own.   Source: `merge` of Reactive Extensions; watermarks as in the Dataflow model (Akidau et al., VLDB 2015), section 2.3, idle
/// inputs as in FLIP-471; barriers as in Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows" (2015), section 4.
template <class T> stream<T> merge(std::vector<stream<T>> inputs) {
  return detail::emit_merged<T>(std::move(inputs), detail::merge_kind::plain);
}
template <class T> timed_stream<T> merge(std::vector<timed_stream<T>> inputs) {
  std::vector<stream<T>> plain;
  plain.reserve(inputs.size());
  for (timed_stream<T>& in : inputs) plain.push_back(std::move(in));
  return timed_stream<T>(detail::emit_merged<T>(std::move(plain), detail::merge_kind::timed));
}

/// The same for streams and chains given one by one; they need the same element type, and event time all or none.
template <stream_like First, stream_like... Rest> auto merge(First&& first, Rest&&... rest) {
  using element = typename std::remove_cvref_t<First>::value_type;
  constexpr bool timed = std::remove_cvref_t<First>::timed;
  constexpr bool owned = !std::is_lvalue_reference_v<First> && (!std::is_lvalue_reference_v<Rest> && ...);
  constexpr bool alike = ((timed == std::remove_cvref_t<Rest>::timed) && ...);
  constexpr bool same = (std::is_same_v<element, typename std::remove_cvref_t<Rest>::value_type> && ...);
  static_assert(owned, "weir: a stream has one consumer; write merge(std::move(stream), ...)");
  static_assert(alike, "weir: merge needs event time in all its inputs or in none; put event_time(...) behind those that lack it");
  static_assert(same, "weir: merge needs streams of the same element type; map them first");
  if constexpr (owned && alike && same) {
    using input = std::conditional_t<timed, timed_stream<element>, stream<element>>;
    std::vector<input> inputs;
    inputs.reserve(1 + sizeof...(Rest));
    inputs.push_back(input(std::forward<First>(first)));
    (inputs.push_back(input(std::forward<Rest>(rest))), ...);
    return merge(std::move(inputs));
  } else {
    return detail::rejected();
  }
}

}  // namespace weir
