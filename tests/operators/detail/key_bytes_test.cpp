#include <weir/operators/detail/key_bytes.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace weir::detail;

namespace {

struct venue {
  char kind;
  std::int64_t number;
  std::optional<short> desk;
  bool operator==(venue const&) const = default;
};
struct all {
  bool operator==(all const&) const = default;
};

// The bytes of a key that lies where there was something else before.
template <class K> std::vector<std::byte> bytes_in(std::byte before, K const& key) {
  alignas(K) std::array<std::byte, sizeof(K)> place;
  place.fill(before);
  K* const there = new (place.data()) K(key);
  std::vector<std::byte> out;
  encode_key(*there, out);
  std::destroy_at(there);
  return out;
}
template <class K> void check(K const& key, std::size_t size) {
  std::vector<std::byte> const bytes = bytes_in(std::byte{0}, key);
  CHECK(bytes == bytes_in(std::byte{0xff}, key));
  CHECK(bytes.size() == size);
  std::span<std::byte const> from = bytes;
  CHECK(decode_key<K>(from) == key);
  CHECK(from.empty());
}

}  // namespace

TEST_CASE("a key's bytes depend on nothing but its value", "[operators][state]") {
  check(all(), 0);
  check(std::int32_t{7}, 4);
  check(2.5, 8);
  check(std::optional<int>(), 1);
  check(std::optional<int>(3), 1 + 4);
  check(venue{'x', -1, std::nullopt}, 1 + 8 + 1);
  check(venue{'x', -1, short{5}}, 1 + 8 + 1 + 2);
  check(std::pair(venue{'y', 2, short{1}}, std::string("abc")), 1 + 8 + 1 + 2 + 8 + 3);
  check(std::array<venue, 2>{venue{'a', 1, std::nullopt}, venue{'b', 2, std::nullopt}}, 20);
}
