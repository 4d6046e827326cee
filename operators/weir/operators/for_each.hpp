#pragma once
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/element_call.hpp>
#include <weir/stage.hpp>

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F> class for_each_stage : public forwards_marks {
public:
  explicit for_each_stage(F f) : f_(std::move(f)) {}
  template <class T, class Time> bool element(T& x, Time, auto) {
    (void)consume(f_, x);
    return true;
  }

private:
  [[no_unique_address]] F f_;
};

template <class F> class for_each_description {
public:
  using operator_tag = void;
  explicit for_each_description(F f) : f_(std::move(f)) {}
  template <class Chain> auto append(Chain&& c) && {
    using element = typename std::remove_cvref_t<Chain>::element_type;
    static_assert(consumes<F, element>, "weir: for_each's function cannot be called with this element");
    if constexpr (!consumes<F, element>) {
      return rejected();
    } else if constexpr (must_be_awaited<consumed<F, element>>) {
      static_assert(!must_be_awaited<consumed<F, element>>,
                    "weir: for_each cannot wait for a task; write `while (auto* x = co_await s.next()) co_await f(*x);`");
      return rejected();
    } else {
      return std::forward<Chain>(c).with(plain<nothing>(), for_each_stage<F>(std::move(f_)));
    }
  }

private:
  F f_;
};

}  // namespace detail

/// Ends a chain: calls `f(element)` for each element. `auto all = std::move(s) | for_each(f);` and then `co_await all;`.
///
/// The fastest consumer: `f` runs in the source's loop and nothing is stored. It takes the element as `map`'s does; what it returns is
/// ignored. An element is done when `f` has returned.
/// - Emits: nothing.   Backpressures: never.
/// - Completes when: upstream completes.   Fails when: upstream or `f` fails; the elements before are done, the one it failed for is
///   not.   Cancelled: at the next chunk.
/// State: none.   Errors: none of its own.   Source: `std::for_each`, [alg.foreach].
template <class F> auto for_each(F f) { return detail::for_each_description<F>(std::move(f)); }

}  // namespace weir
