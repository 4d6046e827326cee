#pragma once
#include <weir/codec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Simple structs in checkpoints: `struct state { std::string name; std::vector<int> seen; };` needs no codec of its own.
namespace weir {
namespace detail {

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

template <class T>
concept simple_struct = std::is_aggregate_v<T> && std::is_class_v<T> && !raw_state<T> && !fixed_parts<T> && !grows<T> && !requires {
  T{any_base<T>()};
} && count_members<T>() != 0 && !takes_members<T>(std::make_index_sequence<most_members + 1>());
template <class Members> inline constexpr bool members_encodable = false;
template <class... M> inline constexpr bool members_encodable<std::tuple<M const&...>> = (encodable<M> && ...);

}  // namespace detail

/// Structs without constructors and bases, of up to 8 members: each member after the other. Not for arrays of C and bit-fields.
template <detail::simple_struct T>
  requires(detail::members_encodable<decltype(detail::members_of(std::declval<T const&>()))>)
struct codec<T> {
  static void encode(T const& value, std::vector<std::byte>& to) {
    std::apply([&to](auto const&... m) { (codec<std::remove_cvref_t<decltype(m)>>::encode(m, to), ...); }, detail::members_of(value));
  }
  static T decode(std::span<std::byte const>& from) { return decode_all(from, members()); }

private:
  template <class... M> struct list {};
  template <class... M> static list<M...> types_of(std::tuple<M const&...>);
  using members_list = decltype(types_of(detail::members_of(std::declval<T const&>())));
  static members_list members() { return {}; }
  template <class... M> static T decode_all(std::span<std::byte const>& from, list<M...>) {
    return T{codec<M>::decode(from)...};  // a braced list is evaluated from left to right
  }
};

}  // namespace weir
