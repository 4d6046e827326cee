#pragma once
#include <weir/codec.hpp>
#include <weir/operators/detail/keyed_table.hpp>
#include <weir/operators/detail/state_errors.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::detail {

// A table in a checkpoint: the number of its rows, and each in first-seen order. Rows have `key`, `folded` and perhaps `count`.
template <class K, class Row> void encode_table(keyed_table<K, Row> const& table, std::vector<std::byte>& to) {
  encode_state(std::uint64_t{table.size()}, to);
  for (Row const& r : table) {
    encode_state(r.key, to);
    encode_state(r.folded, to);
    if constexpr (requires { r.count.next; }) {
      encode_state(r.count.next, to);
      encode_state(r.count.changed, to);
    }
  }
}
template <class K, class Row> void decode_table(keyed_table<K, Row>& table, std::span<std::byte const>& from) {
  auto const n = decode_part<std::uint64_t>(from);
  for (std::uint64_t i = 0; i != n; ++i) {
    Row& r = table[decode_part<K>(from)];
    if (table.size() != i + 1) throw_damaged_state("window", "it has a key twice");
    r.folded = decode_part<decltype(r.folded)>(from);
    if constexpr (requires { r.count.next; }) {
      r.count.next = decode_part<std::uint32_t>(from);
      r.count.changed = decode_part<bool>(from);
    }
  }
}

}  // namespace weir::detail
