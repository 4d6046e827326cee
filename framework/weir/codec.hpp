#pragma once
#include <weir/detail/schema_text.hpp>
#include <weir/detail/state_bytes.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace weir {

/// How a `T` is kept in a checkpoint. Given for trivially copyable types (as they lie in memory, so a checkpoint belongs to one
/// architecture), `std::string`, `std::optional`, pairs, tuples and arrays, and sequences, sets and maps of all these.
///
/// Specialise it for a type of yours, with at least one byte per value:
/// ```cpp
/// template <> struct weir::codec<order> {
///   static void encode(order const& o, std::vector<std::byte>& to) { encode_state(o.id, to); encode_state(o.lines, to); }
///   static order decode(std::span<std::byte const>& from) {  // takes its part from the front
///     auto const id = decode_part<std::uint64_t>(from);
///     return order(id, decode_part<std::vector<line>>(from));
///   }
///   static std::string schema() { return "order {u64, " + schema_of<std::vector<line>>() + "}"; }  // may be missing, see `schema_of`
/// };
/// ```
/// Pointers and views have none: what they lead to is gone after a restart.
template <class T> struct codec;

/// Can be part of a checkpoint.
template <class T>
concept encodable = requires(T const& value, std::vector<std::byte>& to, std::span<std::byte const>& from) {
  codec<T>::encode(value, to);
  { codec<T>::decode(from) } -> std::same_as<T>;
};

/// Appends `value` to `to`. Throws only when memory ends.
template <encodable T> void encode_state(T const& value, std::vector<std::byte>& to) { codec<T>::encode(value, to); }

/// Takes a `T` from the front of `from`. Throws `errc::corrupt` when the bytes are not those of a `T`.
template <encodable T> T decode_part(std::span<std::byte const>& from) { return codec<T>::decode(from); }

/// A `T` from bytes that hold nothing else. Throws `errc::corrupt` otherwise.
template <encodable T> T decode_state(std::span<std::byte const> from) {
  T value = codec<T>::decode(from);
  if (!from.empty()) detail::throw_state_left_over();
  return value;
}

/// How a `T` lies in a checkpoint, as a short text, by which a type that has changed is noticed: `u64`, `map<string, f64>`,
/// `list<16 bytes of {i64, f64}>`. Types of one text can be read for each other: a deque for a vector, a tuple for a pair. Of simple
/// structs it has the members' types, in order; not their names.
///
/// A codec of yours says it by `static std::string schema()`: change the text with the layout. Without it the text is the name of the type,
/// and a change within goes unnoticed; so it is, but for the size, of trivially copyable classes with constructors or more than 8 members.
template <encodable T> std::string schema_of();

namespace detail {

template <class T> struct raw_codec {
  static void encode(T const& value, std::vector<std::byte>& to) { put_bytes(to, &value, sizeof(T)); }
  static T decode(std::span<std::byte const>& from) {
    std::array<std::byte, sizeof(T)> bytes;
    std::ranges::copy(take_bytes(from, sizeof(T)), bytes.begin());
    return std::bit_cast<T>(bytes);
  }
  static std::string schema() { return schema_of_raw<T>(); }
};
template <class T>
concept lies_raw = std::derived_from<codec<T>, raw_codec<T>>;

template <class T>
concept fixed_parts = requires { std::tuple_size<T>::value; };
template <class T, class Indices> inline constexpr bool parts_encodable = false;
template <class T, std::size_t... I>
inline constexpr bool parts_encodable<T, std::index_sequence<I...>> = (encodable<std::tuple_element_t<I, T>> && ...);
template <class T>
concept grows = requires(T t, std::ranges::range_value_t<T> x) {
  { t.size() } -> std::convertible_to<std::size_t>;
  requires requires { t.push_back(std::move(x)); } || requires { t.insert(std::move(x)); };
};
template <class C> struct part_of {
  using type = std::ranges::range_value_t<C>;
};
template <class C>
  requires requires { typename C::mapped_type; }
struct part_of<C> {
  using type = std::pair<typename C::key_type, typename C::mapped_type>;
};

}  // namespace detail

template <class T>
  requires detail::raw_state<T>
struct codec<T> : detail::raw_codec<T> {};

template <> struct codec<bool> {
  static void encode(bool value, std::vector<std::byte>& to) { to.push_back(static_cast<std::byte>(value)); }
  static bool decode(std::span<std::byte const>& from) { return detail::take_flag(from); }
  static std::string schema() { return "bool"; }
};

template <> struct codec<std::string> {
  static void encode(std::string const& value, std::vector<std::byte>& to) {
    detail::put_size(to, value.size());
    detail::put_bytes(to, value.data(), value.size());
  }
  static std::string decode(std::span<std::byte const>& from) {
    auto const bytes = detail::take_bytes(from, detail::take_size(from, 1));
    return bytes.empty() ? std::string() : std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
  }
  static std::string schema() { return "string"; }
};

template <encodable T>
  requires(!detail::raw_state<std::optional<T>>)
struct codec<std::optional<T>> {
  static void encode(std::optional<T> const& value, std::vector<std::byte>& to) {
    codec<bool>::encode(value.has_value(), to);
    if (value.has_value()) codec<T>::encode(*value, to);
  }
  static std::optional<T> decode(std::span<std::byte const>& from) {
    std::optional<T> value;
    if (detail::take_flag(from)) value.emplace(codec<T>::decode(from));
    return value;
  }
  static std::string schema() { return detail::schema_of_parts("optional", {schema_of<T>()}); }
};

// Pairs, tuples, arrays.
template <class T>
  requires(detail::fixed_parts<T> && !detail::raw_state<T> &&
           detail::parts_encodable<T, std::make_index_sequence<std::tuple_size<T>::value>>)
struct codec<T> {
  static void encode(T const& value, std::vector<std::byte>& to) {
    std::apply([&to](auto const&... part) { (codec<std::remove_cvref_t<decltype(part)>>::encode(part, to), ...); }, value);
  }
  static T decode(std::span<std::byte const>& from) { return decode_all(from, std::make_index_sequence<std::tuple_size_v<T>>()); }
  static std::string schema() { return schema_all(std::make_index_sequence<std::tuple_size_v<T>>()); }

private:
  template <std::size_t... I> static T decode_all(std::span<std::byte const>& from, std::index_sequence<I...>) {
    return T{codec<std::tuple_element_t<I, T>>::decode(from)...};  // a braced list is evaluated from left to right
  }
  template <std::size_t... I> static std::string schema_all(std::index_sequence<I...>) {
    if constexpr (detail::is_std_array<T>)
      return detail::schema_of_parts("array", {schema_of<typename T::value_type>(), std::to_string(sizeof...(I))});
    else return detail::schema_of_parts("tuple", {schema_of<std::tuple_element_t<I, T>>()...});
  }
};

// Vectors, deques, sets, maps: the number of parts, and each.
template <class C>
  requires(detail::grows<C> && !detail::fixed_parts<C> && !detail::raw_state<C> && encodable<typename detail::part_of<C>::type>)
struct codec<C> {
  using part = typename detail::part_of<C>::type;
  static constexpr bool is_map = requires { typename C::mapped_type; };
  static constexpr bool in_one_piece = std::is_same_v<C, std::vector<part>> && detail::lies_raw<part> && std::default_initializable<part>;

  static void encode(C const& value, std::vector<std::byte>& to) {
    detail::put_size(to, value.size());
    if constexpr (in_one_piece) {
      detail::put_bytes(to, value.data(), value.size() * sizeof(part));
    } else if constexpr (is_map) {
      for (auto const& [k, v] : value) {
        codec<typename C::key_type>::encode(k, to);
        codec<typename C::mapped_type>::encode(v, to);
      }
    } else {
      for (auto const& x : value) codec<part>::encode(x, to);
    }
  }
  static C decode(std::span<std::byte const>& from) {
    C value;
    if constexpr (in_one_piece) {
      std::size_t const n = detail::take_size(from, sizeof(part));
      auto const bytes = detail::take_bytes(from, n * sizeof(part));
      value.resize(n);
      if (n != 0) std::memcpy(value.data(), bytes.data(), bytes.size());
    } else {
      for (std::size_t n = detail::take_size(from, 1); n != 0; --n) {
        if constexpr (requires(part x) { value.push_back(std::move(x)); }) value.push_back(codec<part>::decode(from));
        else value.insert(codec<part>::decode(from));
      }
    }
    return value;
  }
  static std::string schema() {
    if constexpr (is_map) return detail::schema_of_parts("map", {schema_of<typename C::key_type>(), schema_of<typename C::mapped_type>()});
    else if constexpr (requires(C c, part x) { c.push_back(std::move(x)); }) return detail::schema_of_parts("list", {schema_of<part>()});
    else return detail::schema_of_parts("set", {schema_of<part>()});
  }
};

template <encodable T> std::string schema_of() {
  if constexpr (requires { std::string(codec<T>::schema()); }) return codec<T>::schema();
  else return detail::name_of(typeid(T));
}

}  // namespace weir
