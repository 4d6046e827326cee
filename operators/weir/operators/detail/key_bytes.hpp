#pragma once
#include <weir/aggregate_codec.hpp>
#include <weir/codec.hpp>
#include <weir/detail/schema_text.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// A key as it names an entry of a checkpoint: equal keys have equal bytes, also where an object has bytes that mean nothing (padding).
namespace weir::detail {

template <class K>
concept determined_bytes = std::has_unique_object_representations_v<K> || std::same_as<K, float> || std::same_as<K, double>;
template <class K>
concept padded_struct = lies_raw<K> && !determined_bytes<K> && std::is_aggregate_v<K> && std::is_class_v<K> && count_members<K>() != 0 &&
                        !takes_members<K>(std::make_index_sequence<most_members + 1>());

template <class K> void encode_key(K const& key, std::vector<std::byte>& to) {
  if constexpr (std::is_empty_v<K>) {
    static_cast<void>(key);
  } else if constexpr (is_optional<K>) {
    encode_state(key.has_value(), to);
    if (key) encode_key(*key, to);
  } else if constexpr (fixed_parts<K>) {
    std::apply([&to](auto const&... part) { (encode_key(part, to), ...); }, key);
  } else if constexpr (padded_struct<K>) {
    std::apply([&to](auto const&... member) { (encode_key(member, to), ...); }, members_of(key));
  } else {
    static_assert(
        !lies_raw<K> || determined_bytes<K>,
        "weir: a key in checkpoints needs bytes that depend on nothing but its value, and this type has padding: make it a struct of "
        "up to 8 members without arrays of C, or specialise weir::codec for it");
    encode_state(key, to);
  }
}

template <class K> K decode_key(std::span<std::byte const>& from);
template <class K, std::size_t... I> K decode_key_parts(std::span<std::byte const>& from, std::index_sequence<I...>) {
  return K{decode_key<std::tuple_element_t<I, K>>(from)...};  // a braced list is evaluated from left to right
}
template <class K, class... M> K decode_key_members(std::span<std::byte const>& from, std::tuple<M const&...> const*) {
  return K{decode_key<M>(from)...};
}
template <class K> K decode_key(std::span<std::byte const>& from) {
  if constexpr (std::is_empty_v<K>) {
    return K();
  } else if constexpr (is_optional<K>) {
    if (!decode_part<bool>(from)) return std::nullopt;
    return decode_key<typename K::value_type>(from);
  } else if constexpr (fixed_parts<K>) {
    return decode_key_parts<K>(from, std::make_index_sequence<std::tuple_size_v<K>>());
  } else if constexpr (padded_struct<K>) {
    return decode_key_members<K>(from, static_cast<decltype(members_of(std::declval<K const&>()))*>(nullptr));
  } else {
    return decode_part<K>(from);
  }
}

}  // namespace weir::detail
