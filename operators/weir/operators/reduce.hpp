#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/accumulators/reduce.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F> class reduce_description : public named_operator<reduce_description<F>> {
public:
  using operator_tag = void;
  explicit reduce_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    constexpr bool usable = reduces<F, typename shape::element>;
    static_assert(shape::has_window,
                  "weir: reduce needs a window; put tumbling_window, sliding_window, session_window or global_window before it");
    static_assert(!shape::has_window || usable,
                  "weir: reduce's function must be callable as f(element, element), const, and return the element's type, which is copied");
    if constexpr (!shape::has_window || !usable) return rejected();
    else return aggregate_description<reducing<F>>(reducing<F>(std::move(f_)), std::move(this->naming_)).append(std::forward<Chain>(c));
  }

private:
  F f_;
};

}  // namespace detail

/// Combines the elements of each key and window two by two into one of the same type: `reduce(std::plus<>())`,
/// `reduce([](order const& a, order const& b) { return a.total < b.total ? b : a; })`.
///
/// The same as `aggregate(reducing(f))`: results are `window_result{key, window, value, revision, pane}`, whose value is a
/// `std::optional` of the element, null only in retractions (`is_retraction`): a window is never empty. `f(T const&, T const&)` gives a `T`
/// and must be associative; it should commute, as elements of a window are combined in the order in which they come, and those of sessions
/// and slices in parts. `.named(id)` and `.counted_in(books, account)` as for `aggregate`.
/// - Emits when: a window fires.   Backpressures when: downstream does.   Completes when: upstream completes; the end of the data has
///   fired all windows.   Fails when: upstream, the key, `f` or a side output fails.   Cancelled: at the next chunk.
/// State per key and open window: as for `aggregate`, with an element and a flag as the accumulator's state; the element must be
/// `encodable`. Errors: none of its own.   Source: Haskell's `foldl1'`; Kafka Streams' `reduce`.
template <class F> auto reduce(F f) { return detail::reduce_description<F>(std::move(f)); }

}  // namespace weir
