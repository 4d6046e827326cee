#pragma once
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/window_shape.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class Fold> class aggregate_description : public named_operator<aggregate_description<Fold>> {
public:
  using operator_tag = void;
  explicit aggregate_description(Fold f, naming n = naming()) : named_operator<aggregate_description>(std::move(n)), fold_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    static_assert(shape::has_window,
                  "weir: aggregate needs a window; put tumbling_window, sliding_window, session_window or global_window "
                  "before it");
    if constexpr (!shape::has_window) return rejected();
    else return bind(std::forward<Chain>(c));
  }

private:
  template <class Chain> auto bind(Chain&& c) {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    using T = typename shape::element;
    static_assert(
        accumulator<Fold, T>,
        "weir: aggregate needs an accumulator for this element: a state, and add, merge and result, all const (weir::accumulator)");
    if constexpr (!accumulator<Fold, T>) {
      return rejected();
    } else {
      shape const& s = c.shape();
      auto key = key_function_of(s);
      using Key = decltype(key);
      using K = owned_key<Key, T>;
      constexpr bool saved = encodable<K> && encodable<accumulator_state<Fold, T>>;
      static_assert(std::copy_constructible<K>, "weir: a key of windows must be copyable, as each result has one");
      static_assert(saved,
                    "weir: the windows are part of checkpoints, so key and accumulator state need a codec: make them trivially "
                    "copyable, a standard container of such, or specialise weir::codec for them; pointers and views have none");
      if constexpr (!saved || !std::copy_constructible<K>) {
        return rejected();
      } else {
        auto stage = s.windows.template stage<K, T>(std::move(key), std::move(fold_), s.late, s.emission, this->naming_);
        return std::forward<Chain>(c).with(timed<window_result<K, accumulator_result<Fold, T>>>(), std::move(stage));
      }
    }
  }
  Fold fold_;
};

}  // namespace detail

/// Folds the elements of each key and window into one result: `window_result{key, window, value, revision, pane}`.
///
/// `fold` is an `accumulator`: `count()`, `sum(f)`, `ohlcv(...)`, `combined(a, b)`, or one of your own. Results of a window come in the
/// order in which its keys were first seen, before the watermark that fired them, with the event time `window.end - 1`. When they come,
/// what becomes of late elements, and which windows there are, the window operator before it says. `.named(id)` gives it the name of
/// results' identities and explanations; `.counted_in(books, account)` counts what becomes of the elements.
/// - Emits when: a window fires.   Backpressures when: downstream does; the results of one firing are handed over together.
/// - Completes when: upstream completes; the end of the data has fired all windows.   Fails when: upstream, the key, the accumulator or a
///   side output fails; results given before are delivered.   Cancelled: at the next chunk.
/// State per key and open window (for `sliding_window`: per slice): the key, the accumulator's state (8 bytes more where a window may give
/// several results), with up to half as much in reserve, and an index of 14 to 27 bytes: 30 to 51 bytes for a count by an integer.
/// Checkpointed. Gone when the window closes; the memory of two windows is kept for the next ones.
/// Errors: `errc::corrupt` when restored from something else, `errc::incompatible` from windows that lie elsewhere or have other
/// keys or another accumulator (`migrate_rows`), `errc::out_of_range`
/// for times of a source that has not been through `event_time`.   Source: the Dataflow model (Akidau et al., VLDB 2015).
template <class Fold> auto aggregate(Fold fold) { return detail::aggregate_description<Fold>(std::move(fold)); }

}  // namespace weir
