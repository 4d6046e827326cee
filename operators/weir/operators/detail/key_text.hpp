#pragma once
#include <weir/codec.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/key_bytes.hpp>
#include <weir/operators/time_window.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

// Keys as text: one to one, the same in every run, and of characters that need no quoting anywhere. `(`, `)`, `,` and `+` stand for
// structure and are encoded in texts.
namespace weir::detail {

// Appends `part`, percent-encoded.
void append_encoded(std::string& to, std::string_view part);
void append_hex(std::string& to, std::span<std::byte const> bytes);
// The shortest text that reads back as x; zero has no sign.
void append_number(std::string& to, double x);

template <class K>
concept text_key = std::convertible_to<K const&, std::string_view>;
template <class K>
concept number_key = (std::integral<K> || std::is_enum_v<K>) && sizeof(K) <= 8;
template <class K>
concept ticks_key = requires(K const& k) {
  { k.count() } -> std::integral;
} || requires(K const& k) {
  { k.time_since_epoch().count() } -> std::integral;
};
template <class K>
concept parts_key = fixed_parts<K>;

// Whether equal values of a type are encoded to equal bytes. Padding may be anything; a codec that a user writes is taken at its word.
template <class K> constexpr bool encodes_stably() {
  if constexpr (std::ranges::range<K>) return encodes_stably<std::ranges::range_value_t<K>>();
  else if constexpr (lies_raw<K>) return std::has_unique_object_representations_v<K>;
  else return true;
}

template <class K> constexpr bool identifies();
template <class K, std::size_t... I> constexpr bool all_identify(std::index_sequence<I...>) {
  return (identifies<std::remove_cvref_t<std::tuple_element_t<I, K>>>() && ...);
}
template <class K> constexpr bool identifies() {
  if constexpr (std::same_as<K, no_key> || text_key<K> || number_key<K> || std::same_as<K, double> || std::same_as<K, float> ||
                ticks_key<K>)
    return true;
  else if constexpr (is_optional<K>) return identifies<typename K::value_type>();
  else if constexpr (parts_key<K>) return all_identify<K>(std::make_index_sequence<std::tuple_size_v<K>>());
  else if constexpr (encodable<K>) return encodes_stably<K>();
  else return false;
}
template <class K>
concept identifying = identifies<K>();

template <class K> void append_key(std::string& to, K const& key) {
  if constexpr (std::same_as<K, no_key>) {
  } else if constexpr (text_key<K>) {
    append_encoded(to, std::string_view(key));
  } else if constexpr (std::same_as<K, bool>) {
    to += key ? "true" : "false";
  } else if constexpr (std::is_enum_v<K>) {
    append_key(to, static_cast<std::underlying_type_t<K>>(key));
  } else if constexpr (std::unsigned_integral<K>) {
    to += std::to_string(static_cast<std::uint64_t>(key));
  } else if constexpr (number_key<K>) {
    to += std::to_string(static_cast<std::int64_t>(key));
  } else if constexpr (std::floating_point<K>) {
    append_number(to, static_cast<double>(key));
  } else if constexpr (requires { key.count(); }) {
    append_key(to, key.count());
  } else if constexpr (requires { key.time_since_epoch(); }) {
    append_key(to, key.time_since_epoch().count());
  } else if constexpr (is_optional<K>) {
    if (!key) return;
    to += '+';
    append_key(to, *key);
  } else if constexpr (parts_key<K>) {
    to += '(';
    std::apply(
        [&to](auto const&... part) {
          std::size_t n = 0;
          ((to += n++ == 0 ? "" : ",", append_key(to, part)), ...);
        },
        key);
    to += ')';
  } else {
    std::vector<std::byte> bytes;
    encode_state(key, bytes);
    append_hex(to, bytes);
  }
}
template <class K> std::string text_of_key(K const& key) {
  std::string out;
  append_key(out, key);
  return out;
}

}  // namespace weir::detail
