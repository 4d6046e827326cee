#pragma once
#include <weir/codec.hpp>
#include <weir/detail/schema_text.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// What an operator says about one key: `auto const& [key, value] = *x;`.
template <class K, class V> struct keyed_value {
  keyed_value(K k, V v) : key(std::move(k)), value(std::move(v)) {}
  friend bool operator==(keyed_value const&, keyed_value const&) = default;
  K key;
  V value;
};

/// In a checkpoint: key, value.
template <encodable K, encodable V> struct codec<keyed_value<K, V>> {
  static void encode(keyed_value<K, V> const& x, std::vector<std::byte>& to) {
    encode_state(x.key, to);
    encode_state(x.value, to);
  }
  static keyed_value<K, V> decode(std::span<std::byte const>& from) {
    K key = decode_part<K>(from);
    return keyed_value<K, V>(std::move(key), decode_part<V>(from));
  }
  static std::string schema() { return detail::schema_of_parts("keyed_value", {schema_of<K>(), schema_of<V>()}); }
};

}  // namespace weir
