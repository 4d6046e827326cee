#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F> class inspect_stage : public forwards_marks {
public:
  explicit inspect_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time t, auto down) {
    (void)look_at(f_, x);
    return down.element(x, t);
  }

private:
  [[no_unique_address]] F f_;
};

template <class F> class inspect_description {
public:
  using operator_tag = void;
  explicit inspect_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    static_assert(looks_at<F, element>, "weir: inspect's function cannot be called with this element, by const reference");
    if constexpr (!looks_at<F, element>) {
      return rejected();
    } else if constexpr (must_be_awaited<looked_at<F, element>>) {
      static_assert(!must_be_awaited<looked_at<F, element>>, "weir: inspect cannot wait for a task; use map_concurrent");
      return rejected();
    } else {
      return std::forward<Chain>(c).then(inspect_stage<F>(std::move(f_)));
    }
  }

private:
  F f_;
};

}  // namespace detail

/// Calls `f(element)` for each element on its way and hands the element on: for counters, logs, assertions.
///
/// `f` takes the element by const reference; what it returns is ignored. Event time and key are kept. A stage, so `f` sees
/// elements a chunk ahead of the consumer.
/// - Emits when: an element came.   Backpressures when: downstream does.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; what came before is delivered first, and the
///   element `f` failed for stays unacknowledged.   Cancelled: at the next chunk.
/// State: none.   Errors: none of its own.   Source: Reactive Streams' "do on next"; `Stream.peek` of Java 8.
template <class F> auto inspect(F f) { return detail::inspect_description<F>(std::move(f)); }

}  // namespace weir
