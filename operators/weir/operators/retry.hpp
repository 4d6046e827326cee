#pragma once
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/detail/retrying.hpp>
#include <weir/retry_policy.hpp>
#include <weir/stage.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F> class open_retrying {
public:
  open_retrying(retry_policy policy, F f) : policy_(std::move(policy)), f_(std::move(f)) {}
  template <class T> auto operator()(stream<T> in) && {
    static_assert(std::invocable<F&, T&>,
                  "weir: retry's function cannot be called with this element; it takes it by reference, as it may be needed again");
    if constexpr (!std::invocable<F&, T&>) {
      return rejected();
    } else {
      using work = std::invoke_result_t<F&, T&>;
      static_assert(is_task<work>, "weir: retry's function must return a task");
      if constexpr (!is_task<work>) {
        return rejected();
      } else {
        using result = typename work::value_type;
        constexpr bool usable = std::is_object_v<result>;
        static_assert(usable, "weir: retry's task must return a value, not void or a reference");
        if constexpr (!usable) return rejected();
        else return emit_retried<T, result, F>(std::move(in), std::move(policy_), std::move(f_));
      }
    }
  }

private:
  retry_policy policy_;
  F f_;
};

}  // namespace detail

/// Replaces each element by what the task `f(element)` returns, and calls `f` again when that fails, as often and after such delays as
/// `policy` says.
///
/// One element at a time, in order; the next one begins when the consumer asks for it. `f` takes the element by reference (or const
/// reference, or a copy) and must leave it usable for another try; it may be a capturing lambda coroutine. Event time is kept, the
/// key dropped. Marks keep their place. Delays run on the context's clock.
/// - Emits when: `f` has succeeded.   Backpressures when: an element is being tried, or downstream does.
/// - Completes when: upstream completes.
/// - Fails when: upstream fails; when a failure is not worth another try or the attempts are used up: with that last failure, which says
///   "after n attempts" if there were several and it is a `weir::error` or a `std::system_error` (which becomes a `weir::error` with the
///   same code).
/// - Cancelled: the try or the delay under way is, nothing is tried again; the element stays unacknowledged.
/// State: none, a restart counts anew.   Errors: those of `f`.   See `retry_policy` for ranges and defaults.
template <class F> auto retry(retry_policy policy, F f) {
  using open = detail::open_retrying<F>;
  return detail::generator_operator<open, detail::other_elements>(open(std::move(policy), std::move(f)));
}

}  // namespace weir
