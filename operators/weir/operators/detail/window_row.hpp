#pragma once
#include <weir/codec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::detail {

// What a window has of a key, in a checkpoint, without the key. Rows have `folded` and perhaps `count`.
template <class Row> void encode_row(Row const& r, std::vector<std::byte>& to) {
  encode_state(r.folded, to);
  if constexpr (requires { r.count.next; }) {
    encode_state(r.count.next, to);
    encode_state(r.count.changed, to);
  }
}
template <class Row> void decode_row(Row& r, std::span<std::byte const>& from) {
  r.folded = decode_part<decltype(r.folded)>(from);
  if constexpr (requires { r.count.next; }) {
    r.count.next = decode_part<std::uint32_t>(from);
    r.count.changed = decode_part<bool>(from);
  }
}

}  // namespace weir::detail
