#pragma once
#include <weir/codec.hpp>
#include <weir/detail/struct_members.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Simple structs in checkpoints: `struct state { std::string name; std::vector<int> seen; };` needs no codec of its own.
namespace weir {
namespace detail {

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
  static std::string schema() { return schema_all(members()); }

private:
  template <class... M> struct list {};
  template <class... M> static list<M...> types_of(std::tuple<M const&...>);
  using members_list = decltype(types_of(detail::members_of(std::declval<T const&>())));
  static members_list members() { return {}; }
  template <class... M> static T decode_all(std::span<std::byte const>& from, list<M...>) {
    return T{codec<M>::decode(from)...};  // a braced list is evaluated from left to right
  }
  template <class... M> static std::string schema_all(list<M...>) { return detail::schema_of_struct({schema_of<M>()...}); }
};

}  // namespace weir
