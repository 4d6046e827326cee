#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

// The members of simple structs: how many there are, and what they are.
namespace weir::detail {

// Stands for a member of any type, and for a base of any type. They are never called; clang instantiates a constructor that would, and then
// wants them to be there.
template <class Whole> struct any_member {
  template <class M>
    requires(!std::is_base_of_v<M, Whole>)
  operator M() const {
    __builtin_unreachable();
  }
};
template <class Whole> struct any_base {
  template <class B>
    requires std::is_base_of_v<B, Whole>
  operator B() const {
    __builtin_unreachable();
  }
};
template <class T, std::size_t... I>
constexpr bool takes_members(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), any_member<T>())...}; };
}
inline constexpr std::size_t most_members = 8;
template <class T, std::size_t N = most_members> constexpr std::size_t count_members() {
  if constexpr (N == 0 || takes_members<T>(std::make_index_sequence<N>())) return N;
  else return count_members<T, N - 1>();
}

// A tuple of references to the members.
template <class T> constexpr auto members_of(T const& x) noexcept {
  constexpr std::size_t n = count_members<T>();
  if constexpr (n == 1) {
    auto const& [a] = x;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto const& [a, b] = x;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto const& [a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto const& [a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto const& [a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto const& [a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto const& [a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto const& [a, b, c, d, e, f, g, h] = x;
    return std::tie(a, b, c, d, e, f, g, h);
  } else {
    return std::tuple<>();
  }
}

template <class Whole> struct any_union {
  template <class M>
    requires std::is_union_v<M>
  operator M() const {
    __builtin_unreachable();
  }
};
// Member I can be named: it is no array of C of several elements, whose elements would count as members (empty braces stand for all of such
// an array, and then there are too many of the others), and no union, which may have no name.
template <class T, std::size_t... Before, std::size_t... Behind>
constexpr bool can_name_member(std::index_sequence<Before...>, std::index_sequence<Behind...>) {
  return requires { T{(static_cast<void>(Before), any_member<T>())..., {}, (static_cast<void>(Behind), any_member<T>())...}; } &&
         !requires { T{(static_cast<void>(Before), any_member<T>())..., any_union<T>(), (static_cast<void>(Behind), any_member<T>())...}; };
}
template <class T, std::size_t... I> constexpr bool can_name_members(std::index_sequence<I...>) {
  return (can_name_member<T>(std::make_index_sequence<I>(), std::make_index_sequence<sizeof...(I) - 1 - I>()) && ...);
}

// All of it is in its members, which `members_of` gives.
template <class T>
concept has_plain_members =
    std::is_aggregate_v<T> && std::is_class_v<T> && !requires { T{any_base<T>()}; } && count_members<T>() != 0 &&
    !takes_members<T>(std::make_index_sequence<most_members + 1>()) && can_name_members<T>(std::make_index_sequence<count_members<T>()>());

}  // namespace weir::detail
