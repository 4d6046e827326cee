#pragma once
#include <weir/detail/child_group.hpp>
#include <weir/error.hpp>
#include <weir/outcome.hpp>
#include <weir/task.hpp>
#include <weir/when_all.hpp>

#include <cstddef>
#include <exception>
#include <tuple>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// The first to end ends the others.
class any_of_group final : public child_group {
public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  using child_group::child_group;
  bool wants_more() const noexcept { return first_ == none; }
  void settled(std::size_t index, std::exception_ptr const&) {
    if (first_ != none) return;
    first_ = index;
    branch().cancel();
  }
  std::size_t first() const noexcept { return first_; }

private:
  std::size_t first_ = none;
};

std::exception_ptr cancelled_error() noexcept;

// One that was not started has ended, too.
template <class T> void settle_unstarted(outcome<T>& o) {
  if (!o.has_value() && !o.failed()) o.fail(cancelled_error());
}

}  // namespace detail

/// What `when_any` returns. `Outcomes` is a tuple or a vector of `outcome`, in the order in which the tasks were given.
template <class Outcomes> class any_result {
public:
  any_result(std::size_t first, Outcomes all) : index(first), outcomes(std::move(all)) {}
  std::size_t index;  ///< of the task that ended first, with a value or a failure
  Outcomes outcomes;  ///< of all of them
};

/// Runs tasks beside each other on this strand until one ends, cancels and joins the others, and returns how *each* of them ended, so
/// nothing is lost: a message that came to the second while the first ended is in its outcome.
///
/// Each has a context of its own below the caller's. "Ends" includes failing: `get()` of the outcome throws it, `when_any` itself does not.
/// One that ends at its start keeps those after it from being started; their outcome is `errc::cancelled`, and so is, as a rule, that of
/// the cancelled ones. Cancelled from outside: all of them are and are joined, and it returns as usual.
/// Costs one frame per task. Thread-safety: strand only.
/// ```cpp
/// auto r = co_await when_any(next_message(), sleep_until_flush());
/// if (auto& message = std::get<0>(r.outcomes); message.has_value()) handle(message.get());
/// ```
template <class... T>
  requires(sizeof...(T) != 0)
task<any_result<std::tuple<outcome<T>...>>> when_any(task<T>... work) {
  context& own = co_await current_context();
  std::tuple<outcome<T>...> outs;
  detail::any_of_group group(own);
  detail::start_children(group, outs, std::index_sequence_for<T...>(), work...);
  co_await group.join();
  std::apply([](auto&... o) { (detail::settle_unstarted(o), ...); }, outs);
  co_return any_result<std::tuple<outcome<T>...>>(group.first(), std::move(outs));
}

/// The same for any number of tasks of one type. None at all is `errc::misuse`: nothing would ever end.
template <class T> task<any_result<std::vector<outcome<T>>>> when_any(std::vector<task<T>> work) {
  if (work.empty()) throw error(errc::misuse, "when_any: cannot wait", "there is no task", "give it at least one");
  context& own = co_await current_context();
  std::vector<outcome<T>> outs(work.size());
  detail::any_of_group group(own);
  detail::start_children(group, outs, work);
  co_await group.join();
  for (outcome<T>& o : outs) detail::settle_unstarted(o);
  co_return any_result<std::vector<outcome<T>>>(group.first(), std::move(outs));
}

}  // namespace weir
