#pragma once
#include <weir/codec.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Not the optional itself: as it lies in memory, an empty one has whatever was there before.
template <class V> struct optional_state {
  std::optional<V> value;
};

}  // namespace detail

template <class V> struct codec<detail::optional_state<V>> {
  static void encode(detail::optional_state<V> const& s, std::vector<std::byte>& to)
    requires encodable<V>
  {
    encode_state(s.value.has_value(), to);
    if (s.value) encode_state(*s.value, to);
  }
  static detail::optional_state<V> decode(std::span<std::byte const>& from)
    requires encodable<V>
  {
    detail::optional_state<V> s;
    if (decode_part<bool>(from)) s.value.emplace(decode_part<V>(from));
    return s;
  }
};

}  // namespace weir
