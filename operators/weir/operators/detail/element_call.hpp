#pragma once
#include <weir/stage.hpp>
#include <weir/task.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

// How a stage calls what the user gave it: a function, a closure, or a pointer to a member.
namespace weir::detail {

// The element is given away: `T`, `T&&`, `T const&`, and `T&` where nothing else fits.
template <class F, class T>
concept consumes = std::invocable<F&, T&&> || std::invocable<F&, T&>;

template <class F, class T> decltype(auto) consume(F& f, T& x) {
  if constexpr (std::invocable<F&, T&&>) return std::invoke(f, std::move(x));
  else return std::invoke(f, x);
}
template <class F, class T> using consumed = decltype(consume(std::declval<F&>(), std::declval<T&>()));

// The element goes on afterwards: `T const&`, a copy, and `T&` where nothing else fits.
template <class F, class T>
concept looks_at = std::invocable<F&, T const&> || std::invocable<F&, T&>;

template <class F, class T> decltype(auto) look_at(F& f, T& x) {
  if constexpr (std::invocable<F&, T const&>) return std::invoke(f, std::as_const(x));
  else return std::invoke(f, x);
}
template <class F, class T> using looked_at = decltype(look_at(std::declval<F&>(), std::declval<T&>()));

// A stage cannot wait.
template <class R> inline constexpr bool must_be_awaited = is_task<std::remove_cvref_t<R>>;

// What a refused operator is: its static_assert is the only message.
struct rejected_description {
  using operator_tag = void;
  template <class Chain> rejected append(Chain&&) && { return {}; }
};

}  // namespace weir::detail
