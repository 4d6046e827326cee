#pragma once
#include <weir/codec.hpp>
#include <weir/detail/schema_text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// Which elements a join gives that found no partner.
enum class join_kind : std::uint8_t {
  inner,  ///< none
  left,   ///< those of the left stream, with an empty `right`
  full,   ///< those of both, with the other side empty
};

/// An element of the left stream and one of the right that belong together. One side may be empty, depending on the `join_kind`, never
/// both.
template <class K, class L, class R> struct joined {
  joined(K k, std::optional<L> l, std::optional<R> r) : key(std::move(k)), left(std::move(l)), right(std::move(r)) {}
  K key;
  std::optional<L> left;
  std::optional<R> right;
};

/// In a checkpoint: key, left, right.
template <encodable K, encodable L, encodable R> struct codec<joined<K, L, R>> {
  static void encode(joined<K, L, R> const& j, std::vector<std::byte>& to) {
    encode_state(j.key, to);
    encode_state(j.left, to);
    encode_state(j.right, to);
  }
  static joined<K, L, R> decode(std::span<std::byte const>& from) {
    K key = decode_part<K>(from);
    auto left = decode_part<std::optional<L>>(from);
    return joined<K, L, R>(std::move(key), std::move(left), decode_part<std::optional<R>>(from));
  }
  static std::string schema() { return detail::schema_of_parts("joined", {schema_of<K>(), schema_of<L>(), schema_of<R>()}); }
};

}  // namespace weir
