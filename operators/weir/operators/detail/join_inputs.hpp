#pragma once
#include <weir/aggregate_codec.hpp>
#include <weir/codec.hpp>
#include <weir/fused_stream.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/detail/window_shape.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/merge.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <chrono>
#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

// A join is one stage over both streams: they are merged, each element saying which side it is from, so that they share one watermark.
namespace weir::detail {

template <class L, class R> using either = std::variant<L, R>;

template <class Chain> using shape_of = typename std::remove_cvref_t<Chain>::shape_type;
template <class Chain> using element_of = typename shape_of<Chain>::element;
template <class Chain> using key_function = decltype(key_function_of(std::declval<shape_of<Chain> const&>()));
template <class Chain> using key_of = owned_key<key_function<Chain>, element_of<Chain>>;

template <class Chain>
concept fused_chain = requires { typename shape_of<Chain>; };
template <class Chain>
concept keyed_in_time = fused_chain<Chain> && shape_of<Chain>::has_time && shape_of<Chain>::has_key && !shape_of<Chain>::has_window;

// Whether two streams can be joined; the messages say what is missing.
template <class Left, class Right> constexpr bool check_join_inputs() {
  static_assert(!std::is_lvalue_reference_v<Left> && !std::is_lvalue_reference_v<Right>,
                "weir: a stream has one consumer; write std::move(stream)");
  constexpr bool keyed = keyed_in_time<Left> && keyed_in_time<Right>;
  static_assert(keyed, "weir: a join needs two streams with event time and key; put event_time(...) | key_by(...) behind both");
  if constexpr (!keyed || std::is_lvalue_reference_v<Left> || std::is_lvalue_reference_v<Right>) {
    return false;
  } else {
    using L = element_of<Left>;
    using R = element_of<Right>;
    constexpr bool same = std::same_as<key_of<Left>, key_of<Right>>;
    constexpr bool kept = encodable<L> && encodable<R> && encodable<key_of<Left>>;
    constexpr bool copied = std::copyable<L> && std::copyable<R> && std::copyable<key_of<Left>>;
    static_assert(same, "weir: both sides of a join need the same type of key");
    static_assert(kept,
                  "weir: a join keeps elements in checkpoints, so both element types and the key need a codec: make them trivially "
                  "copyable, a standard container of such, a simple struct of such, or specialise weir::codec for them");
    static_assert(copied, "weir: an element may be joined several times, so it must be copyable, and assignable, as must the key");
    return same && kept && copied;
  }
}

// Whether a late policy can be had: what a join gave cannot be taken back.
template <class Late> constexpr bool check_join_late() {
  static_assert(!Late::updates, "weir: a join cannot update what it gave; use late::drop or late::side_output");
  return !Late::updates;
}

template <class Left, class Right> auto merge_sides(Left&& left, Right&& right) {
  using L = element_of<Left>;
  using R = element_of<Right>;
  auto from_left = std::forward<Left>(left) | map([](L& x) { return either<L, R>(std::in_place_index<0>, std::move(x)); });
  auto from_right = std::forward<Right>(right) | map([](R& x) { return either<L, R>(std::in_place_index<1>, std::move(x)); });
  return merge(std::move(from_left), std::move(from_right));
}

// The key of either side.
template <class KeyL, class KeyR> class either_key {
public:
  either_key(KeyL l, KeyR r) : left_(std::move(l)), right_(std::move(r)) {}
  template <class L, class R> owned_key<KeyL, L> operator()(either<L, R> const& x) {
    if (auto const* const l = std::get_if<0>(&x)) return owned_key<KeyL, L>(std::invoke(left_, *l));
    return owned_key<KeyL, L>(std::invoke(right_, *std::get_if<1>(&x)));
  }

private:
  [[no_unique_address]] KeyL left_;
  [[no_unique_address]] KeyR right_;
};

// A late policy that gets what it would get from the side itself.
template <class Late> class late_side {
public:
  static constexpr bool updates = false;
  explicit late_side(Late l) : late_(std::move(l)) {}
  static constexpr std::chrono::nanoseconds allowed() noexcept { return std::chrono::nanoseconds(0); }
  template <class Either> void take(Either& x, lateness const& l) {
    std::visit([this, &l](auto& side) { late_.take(side, l); }, x);
  }

private:
  [[no_unique_address]] Late late_;
};

// Both streams through a stage over their elements that is made from the keys, what it is `told`, the late policy and its name.
template <template <class K, class L, class R, class KeyL, class KeyR, class Late> class Stage, class Left, class Right, class Late,
          class... Told>
auto join_through(Left&& left, Right&& right, Late late, naming const& n, Told... told) {
  using L = element_of<Left>;
  using R = element_of<Right>;
  using K = key_of<Left>;
  using stage = Stage<K, L, R, key_function<Left>, key_function<Right>, late_side<Late>>;
  stage pairs(key_function_of(left.shape()), key_function_of(right.shape()), told..., late_side<Late>(std::move(late)), n);
  auto both = merge_sides(std::forward<Left>(left), std::forward<Right>(right));
  return as_chain(std::move(both)).with(timed<joined<K, L, R>>(), std::move(pairs));
}

}  // namespace weir::detail
