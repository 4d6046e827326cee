#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/splitting.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/split_options.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace weir {

/// The two halves: `auto [matching, rest] = split(...)`.
template <class Stream> struct split_streams {
  split_streams(Stream m, Stream r) noexcept : matching(std::move(m)), rest(std::move(r)) {}
  Stream matching;  ///< elements for which the predicate is true
  Stream rest;      ///< the others
};

/// Divides a stream in two: elements for which `predicate(element)` is true, and the others. Each goes to exactly one of them, in order.
/// ```cpp
/// auto [trades, quotes] = split(std::move(ticks), is_trade);
/// co_await when_all(store(std::move(trades)), show(std::move(quotes)));
/// ```
/// Whichever half is asked first reads the source for both; what belongs to the other waits there, up to `capacity` elements (and the
/// rest of the chunk they came in). When that is full the reading half waits for the other one, so **both halves must be consumed beside
/// each other**; one after the other deadlocks, which is reported where it can be known (see `patience`).
/// Watermarks, idle, stop and restore marks go to both halves, in place; a checkpoint is done when it is done in both, and where `merge` or
/// a join brings the halves together they reach it together. Event time is kept, the key dropped. More than two ways: split again.
/// `predicate` is called as `filter`'s is.
/// - Emits when: an element of this half came.   Backpressures when: the other half has `capacity` elements waiting.
/// - Completes when: upstream completes and what waits was taken.
/// - Fails when: upstream or the predicate fails: both halves do, after what came before; or when the other half was dropped before its end
///   (`when_dropped`).
/// - Cancelled: a half that waits for the other ends alone; a half that reads the source ends it, and the other half fails with
///   `errc::cancelled`.
/// State: that of the operators behind both halves, checkpointed; what waits is not acknowledged.
/// Errors: `errc::invalid_option` when built, `errc::misuse` for a dropped half, `errc::stalled` for a half that nobody consumes, or that
/// is held where the halves meet, while what stands behind this one keeps a checkpoint back (see `patience`). Strand only.   Source:
/// `std::ranges::partition_copy`, [alg.partitions]; `partition` of ReactiveX.
template <stream_like S, class F> auto split(S&& source, F predicate, split_options options = {}) {
  using from = std::remove_cvref_t<S>;
  using element = typename from::value_type;
  static_assert(!std::is_lvalue_reference_v<S>, "weir: a stream has one consumer; write split(std::move(stream), ...)");
  static_assert(detail::decides<F, element>, "weir: split's predicate must take this element, by const reference, and return bool");
  if constexpr (!std::is_lvalue_reference_v<S> && detail::decides<F, element>) {
    using half = std::conditional_t<from::timed, timed_stream<element>, stream<element>>;
    using shared = detail::splitting<element, F>;
    half whole = std::forward<S>(source);
    auto both = std::make_shared<shared>(stream<element>(std::move(whole)), std::move(predicate), options);
    stream<element> matching = detail::split_half(detail::split_end<shared>(both, shared::matching));
    stream<element> rest = detail::split_half(detail::split_end<shared>(std::move(both), shared::rest));
    return split_streams<half>(half(std::move(matching)), half(std::move(rest)));
  } else {
    return split_streams<detail::rejected>(detail::rejected(), detail::rejected());
  }
}

}  // namespace weir
