#pragma once
#include <weir/detail/child_group.hpp>
#include <weir/outcome.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace weir {
namespace detail {

// The first failure ends the others.
class all_of_group final : public child_group {
public:
  using child_group::child_group;
  bool wants_more() const noexcept { return !failure_; }
  void settled(std::size_t, std::exception_ptr const& failure) {
    if (!failure || failure_) return;
    failure_ = failure;
    branch().cancel();
  }
  void rethrow_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, {}));
  }

private:
  std::exception_ptr failure_;
};

template <class T> using result_in_tuple = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T> result_in_tuple<T> take_result(outcome<T>& o) {
  if constexpr (std::is_void_v<T>) return std::monostate();
  else return std::move(o).get();
}

template <class Group, class... T, std::size_t... I>
void start_children(Group& group, std::tuple<outcome<T>...>& outs, std::index_sequence<I...>, task<T>&... work) {
  ((group.wants_more() ? group.start(run_child<T, Group>(std::move(work), std::get<I>(outs), group, I)) : void()), ...);
}
template <class Group, class T> void start_children(Group& group, std::vector<outcome<T>>& outs, std::vector<task<T>>& work) {
  for (std::size_t i = 0; i != work.size() && group.wants_more(); ++i)
    group.start(run_child<T, Group>(std::move(work[i]), outs[i], group, i));
}

}  // namespace detail

/// Runs tasks beside each other on this strand and returns what they return, as a tuple in the order given (`std::monostate` for `task<>`).
///
/// Each starts at once and has a context of its own below the caller's. The first failure cancels the others; the call returns only when
/// all of them have ended, and then throws that first failure. What the others returned or threw after it is dropped (`when_any` keeps
/// all). Tasks not yet started when one fails are not started. Cancelled from outside: all of them are, and are joined. Costs one frame per
/// task. Thread-safety: strand only.
/// ```cpp
/// auto [user, orders] = co_await when_all(load_user(id), load_orders(id));
/// ```
template <class... T> task<std::tuple<detail::result_in_tuple<T>...>> when_all(task<T>... work) {
  context& own = co_await current_context();
  std::tuple<outcome<T>...> outs;
  detail::all_of_group group(own);
  detail::start_children(group, outs, std::index_sequence_for<T...>(), work...);
  co_await group.join();
  group.rethrow_failure();
  co_return std::apply([](auto&... o) { return std::tuple<detail::result_in_tuple<T>...>(detail::take_result(o)...); }, outs);
}

/// The same for any number of tasks of one type: their results, in the order given. None: returns at once.
template <class T> task<std::vector<T>> when_all(std::vector<task<T>> work) {
  context& own = co_await current_context();
  std::vector<outcome<T>> outs(work.size());
  detail::all_of_group group(own);
  detail::start_children(group, outs, work);
  co_await group.join();
  group.rethrow_failure();
  std::vector<T> results;
  results.reserve(outs.size());
  for (outcome<T>& o : outs) results.push_back(std::move(o).get());
  co_return results;
}

/// The same for tasks that return nothing.
inline task<> when_all(std::vector<task<>> work) {
  context& own = co_await current_context();
  std::vector<outcome<>> outs(work.size());
  detail::all_of_group group(own);
  detail::start_children(group, outs, work);
  co_await group.join();
  group.rethrow_failure();
}

}  // namespace weir
