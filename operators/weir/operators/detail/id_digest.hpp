#pragma once
#include <weir/codec.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/key_bytes.hpp>
#include <weir/operators/detail/stable_hash.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace weir::detail {

// 64 bits of an id, the same in every run. Of a number they are as good as itself.
template <class Id, class Q> std::uint64_t id_digest(Q const& id) {
  if constexpr (std::integral<Id>) {
    return stable_hash(static_cast<Id>(id));
  } else if constexpr (stably_hashable<Id>) {
    return stable_hash(as_looked_up(id));
  } else {
    std::vector<std::byte> bytes;
    encode_key(id, bytes);
    return xxh64(bytes);
  }
}

// How ids lie in a block: in the order of their digests, each behind its own; of numbers the digests alone.
template <class Id> struct id_block {
  static constexpr std::size_t ids_per_block = 64;
  static void add(std::vector<std::byte>& to, std::uint64_t digest, Id const& id) {
    encode_state(digest, to);
    encode_state(id, to);
  }
  template <class Q> static bool has(std::span<std::byte const> block, std::uint64_t digest, Q const& id) {
    while (!block.empty()) {
      auto const here = decode_part<std::uint64_t>(block);
      Id const stored = decode_part<Id>(block);
      if (here == digest && stored == as_looked_up(id)) return true;
    }
    return false;
  }
};

template <std::integral Id> struct id_block<Id> {
  static constexpr std::size_t ids_per_block = 256;
  static void add(std::vector<std::byte>& to, std::uint64_t digest, Id) { encode_state(digest, to); }
  static bool has(std::span<std::byte const> block, std::uint64_t digest, Id) noexcept {
    std::size_t first = 0, last = block.size() / sizeof digest;
    while (first != last) {
      std::size_t const middle = first + (last - first) / 2;
      std::uint64_t here = 0;
      std::memcpy(&here, block.data() + middle * sizeof here, sizeof here);
      if (here == digest) return true;
      if (here < digest) first = middle + 1;
      else last = middle;
    }
    return false;
  }
};

}  // namespace weir::detail
