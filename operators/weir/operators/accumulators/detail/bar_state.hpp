#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/total.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace weir {
namespace detail {

// The key of trades that have none: equal to all others.
struct no_trade_key {
  friend constexpr bool operator<(no_trade_key, no_trade_key) noexcept { return false; }
};

// Where a trade stands among the others.
template <class Key> struct trade_place {
  // Whether it comes after a trade at `t` with key `k`.
  template <class K> bool is_after(instant t, K const& k) const { return t < time || (t == time && k < key); }
  template <class K> void set(instant t, K const& k) {
    time = t;
    key = k;
  }

  instant time = 0;
  [[no_unique_address]] Key key{};
};

// Prices of 8 bytes and a volume of integers make it one cache line. Without trades the other fields mean nothing.
template <class Price, class Volume, class Key> struct bar_state {
  Price open{}, high{}, low{}, close{};
  Volume volume{};
  std::uint64_t trades = 0;
  trade_place<Key> first, last;
};

}  // namespace detail

// As it lies in memory where it has no padding, for speed; otherwise field by field, so that equal bars have equal bytes.
template <class Price, class Volume, class Key> struct codec<detail::bar_state<Price, Volume, Key>> {
  using state = detail::bar_state<Price, Volume, Key>;
  static constexpr bool has_key = !std::is_empty_v<Key>;
  static constexpr bool in_one_piece =
      detail::raw_state<Price> && detail::raw_state<Volume> && detail::raw_state<Key> && std::is_trivially_copyable_v<state> &&
      sizeof(state) == 4 * sizeof(Price) + sizeof(Volume) + sizeof(std::uint64_t) + 2 * sizeof(instant) + (has_key ? 2 * sizeof(Key) : 0);

  static void encode(state const& s, std::vector<std::byte>& to)
    requires(encodable<Price> && encodable<Volume> && encodable<Key>)
  {
    if constexpr (in_one_piece) detail::raw_codec<state>::encode(s, to);
    else visit(s, [&to](auto const& field) { encode_state(field, to); });
  }
  static state decode(std::span<std::byte const>& from)
    requires(encodable<Price> && encodable<Volume> && encodable<Key>)
  {
    if constexpr (in_one_piece) return detail::raw_codec<state>::decode(from);
    state s;
    visit(s, [&from]<class Field>(Field& field) { field = decode_part<Field>(from); });
    return s;
  }

private:
  template <class State> static void visit(State& s, auto f) {
    f(s.open), f(s.high), f(s.low), f(s.close), f(s.volume), f(s.trades), f(s.first.time), f(s.last.time);
    if constexpr (has_key) f(s.first.key), f(s.last.key);
  }
};

}  // namespace weir
