#pragma once
#include <weir/codec.hpp>
#include <weir/instant.hpp>
#include <weir/operators/accumulators/detail/bar_state.hpp>
#include <weir/operators/accumulators/detail/projection.hpp>
#include <weir/operators/accumulators/detail/total.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace weir {

/// What trades come to: the prices of the first and the last, the highest and the lowest, and how much was traded.
template <class Price, class Volume> struct ohlcv_bar {
  Price open{}, high{}, low{}, close{};
  Volume volume{};           ///< sum of the sizes
  std::uint64_t trades = 0;  ///< 0: there were none, and the prices and times mean nothing
  instant first_time = 0;    ///< event time of the trade that opens
  instant last_time = 0;     ///< event time of the trade that closes

  friend bool operator==(ohlcv_bar const&, ohlcv_bar const&) = default;
};

namespace detail {

struct without_key {
  template <class T> constexpr no_trade_key operator()(T const&) const noexcept { return {}; }
};
template <class V>
concept price = std::semiregular<V> && has_order<V>;
template <class V>
concept trade_key = std::same_as<V, no_trade_key> || (std::semiregular<V> && has_order<V>);

}  // namespace detail

/// Open, high, low, close and volume of trades, as an `ohlcv_bar`: `ohlcv(&tick::price, &tick::size)`, or, where trades are numbered,
/// `ohlcv(&tick::price, &tick::size, &tick::id)`.
///
/// The trade with the earliest event time opens, the one with the latest closes, whatever the order in which they come. Of equal event
/// times the least key opens and the greatest closes. Without a key, and of equal keys, it is arrival that decides: the first to come
/// opens, the last closes, and when states are merged the trades of the first argument count as those that came first. So the order of
/// trades and of merging plays a part only for trades of equal time and key (and, in its last digits, for a volume of floating point).
///
/// Prices: any type with `<` that can be copied and value-initialised and is `encodable`, exact decimals too, but no NaN; of equal ones the
/// first to come stays. The volume is kept and given out as that of `sum`. Keys: as prices; text is kept as a `std::string`.
/// An accumulator. State: a bar and, with a key, two keys; 64 bytes for prices as `double` and sizes as integers.
/// Errors: `errc::out_of_range` when an integer volume does not fit, the state is then as it was.   Source: bar charts, by event time.
template <class Price, class Volume, class Key = detail::without_key> class ohlcv {
  template <class T> using volume_of = detail::total_of<detail::projected<Volume, T>>;

public:
  /// What is kept of elements `T`.
  template <class T>
    requires detail::projects<Price, T> && detail::price<detail::projected<Price, T>> && detail::projects<Volume, T> &&
                 detail::has_total<detail::projected<Volume, T>> && detail::projects<Key, T> && detail::trade_key<detail::projected<Key, T>>
  using state_for = detail::bar_state<detail::projected<Price, T>, volume_of<T>, detail::projected<Key, T>>;

  /// Each takes the element by const reference, or is a pointer to a member.
  ohlcv(Price price, Volume volume, Key key = Key()) : price_(std::move(price)), volume_(std::move(volume)), key_(std::move(key)) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const {
    std::string out =
        "ohlcv<" + schema_of<detail::projected<Price, T>>() + ", " + schema_of<detail::total_value<detail::projected<Volume, T>>>();
    if constexpr (!std::is_same_v<Key, detail::without_key>) out += ", " + schema_of<detail::projected<Key, T>>();
    return out + ">";
  }
  template <class T> void add(state_for<T>& s, T const& x, instant t) const {
    s.volume.add(std::invoke(volume_, x));
    detail::held<decltype(std::invoke(price_, x))> p = std::invoke(price_, x);
    detail::held<decltype(std::invoke(key_, x))> k = std::invoke(key_, x);
    if (s.trades++ == 0) [[unlikely]] {
      s.open = s.high = s.low = s.close = p;
      s.first.set(t, k);
      s.last.set(t, k);
      return;
    }
    if (s.first.is_after(t, k)) {
      s.first.set(t, k);
      s.open = p;
    }
    if (!s.last.is_after(t, k)) {
      s.last.set(t, k);
      s.close = p;
    }
    if (s.high < p) s.high = p;
    if (p < s.low) s.low = p;
  }

  template <class State> void merge(State& s, State const& other) const {
    if (other.trades == 0) return;
    if (s.trades == 0) {
      s = other;
      return;
    }
    s.volume.merge(other.volume);
    s.trades += other.trades;
    if (s.first.is_after(other.first.time, other.first.key)) {
      s.first = other.first;
      s.open = other.open;
    }
    if (!s.last.is_after(other.last.time, other.last.key)) {
      s.last = other.last;
      s.close = other.close;
    }
    if (s.high < other.high) s.high = other.high;
    if (other.low < s.low) s.low = other.low;
  }

  template <class State> auto result(State const& s) const {
    using bar = ohlcv_bar<std::decay_t<decltype(s.open)>, std::decay_t<decltype(s.volume.value())>>;
    return bar{s.open, s.high, s.low, s.close, s.volume.value(), s.trades, s.first.time, s.last.time};
  }

private:
  [[no_unique_address]] Price price_;
  [[no_unique_address]] Volume volume_;
  [[no_unique_address]] Key key_;
};

}  // namespace weir
