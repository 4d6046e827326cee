#pragma once
#include <weir/error.hpp>
#include <weir/operators/detail/concurrent_map.hpp>
#include <weir/operators/detail/generator_operator.hpp>
#include <weir/operators/ordering.hpp>
#include <weir/task.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {

/// How many elements `map_concurrent` works on at once, in which order their results leave, and how long one may take. A plain number
/// converts to it. Setters return a changed copy; values out of range throw `errc::invalid_option`.
class concurrency {
public:
  concurrency(std::size_t capacity);  ///< >= 1 elements
  /// Default: `ordering::ordered`.
  [[nodiscard]] concurrency order(ordering o) const;
  /// Per element, > 0; one that takes longer is cancelled and fails with `errc::timed_out`. Default: no limit.
  [[nodiscard]] concurrency timeout(std::chrono::nanoseconds limit) const;

  std::size_t capacity() const noexcept { return capacity_; }
  ordering order() const noexcept { return order_; }
  std::optional<std::chrono::nanoseconds> timeout() const noexcept { return timeout_; }

private:
  std::size_t capacity_;
  ordering order_ = ordering::ordered;
  std::optional<std::chrono::nanoseconds> timeout_;
};

namespace detail {

template <class F> class open_concurrent_map {
public:
  open_concurrent_map(concurrency options, F f) : options_(options), f_(std::move(f)) {}
  template <class T> auto operator()(stream<T> in) && {
    static_assert(std::invocable<F&, T&&>, "weir: map_concurrent's function cannot be called with this element");
    if constexpr (!std::invocable<F&, T&&>) {
      return rejected();
    } else {
      using work = std::invoke_result_t<F&, T&&>;
      static_assert(is_task<work>, "weir: map_concurrent's function must return a task; map is for what does not wait");
      if constexpr (!is_task<work>) {
        return rejected();
      } else {
        using result = typename work::value_type;
        constexpr bool usable = std::is_object_v<result>;
        static_assert(usable, "weir: map_concurrent's task must return a value, not void or a reference");
        if constexpr (!usable) return rejected();
        else return emit_mapped<T, result, F>(std::move(in), options_, std::move(f_));
      }
    }
  }

private:
  concurrency options_;
  F f_;
};

}  // namespace detail

/// Replaces each element by what the task `f(element)` returns, working on up to `capacity` elements at once.
///
/// `f` is kept until all its tasks have ended, and the element lies beside its task, so `f` may be a capturing lambda coroutine and take
/// the element by value, by reference or const reference. Each task runs under a context of its own. Event time is kept, the key dropped.
/// Results leave in the order of the input (one slow element holds up to `capacity` finished ones back), or with
/// `concurrency(8).order(ordering::unordered)` as they are done. A finished result never waits for the next input.
/// Watermarks and barriers queue with the elements: a barrier leaves when everything before it has been delivered. Unordered, no result
/// overtakes a mark in either direction. Elements begun behind a barrier begin again after a restart, so what `f` does must bear that.
/// - Emits when: the next result in order (unordered: any) is there.
/// - Backpressures when: `capacity` elements are in work or finished and not yet taken; downstream may hold as many again in one chunk.
/// - Completes when: upstream has completed and all results are delivered.
/// - Fails when: upstream fails, after the results of all elements before; when `f` or its task fails or takes longer than `timeout`:
///   results before it are delivered (unordered: those finished before), the other tasks are cancelled and joined, then it is thrown.
/// - Cancelled: the tasks are cancelled and joined, then `errc::cancelled` is thrown. Dropped half-way: they are cancelled, and joined by
/// the run. State: none.   `capacity` >= 1 elements; its tasks' frames and results are the memory it takes. Errors: `errc::invalid_option`
/// when built, `errc::timed_out`.   Source: `buffered` and `buffer_unordered` of Rust's futures crate.
template <class F> auto map_concurrent(concurrency capacity, F f) {
  using open = detail::open_concurrent_map<F>;
  return detail::generator_operator<open, detail::other_elements>(open(capacity, std::move(f)));
}

}  // namespace weir
