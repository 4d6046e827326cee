#pragma once
#include <weir/operators/aggregate.hpp>
#include <weir/operators/detail/join_sides.hpp>
#include <weir/operators/detail/key.hpp>
#include <weir/operators/detail/named_operator.hpp>
#include <weir/operators/joined.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/time_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>

#include <chrono>
#include <optional>
#include <utility>

// A window join is an aggregate that collects both sides, and this stage behind it, which makes pairs of them.
namespace weir::detail {

template <class K, class L, class R> class window_pairs_stage : public forwards_marks {
  using result = joined<K, L, R>;

public:
  explicit window_pairs_stage(join_kind kind) noexcept : kind_(kind) {}
  bool element(window_result<K, both_sides<L, R>>& w, timestamp t, auto down) {
    both_sides<L, R>& sides = w.value;
    bool more = true;
    auto const give = [&](std::optional<L> l, std::optional<R> r) {
      result out(w.key, std::move(l), std::move(r));
      more = down.element(out, t) && more;
    };
    if (sides.right.empty() && kind_ != join_kind::inner) {
      for (L& l : sides.left) give(std::move(l), std::nullopt);
    } else if (sides.left.empty() && kind_ == join_kind::full) {
      for (R& r : sides.right) give(std::nullopt, std::move(r));
    } else {
      for (L const& l : sides.left)
        for (R const& r : sides.right) give(l, r);
    }
    return more;
  }

private:
  join_kind kind_;
};

template <class L, class R, class Both, class Key, class Late>
auto join_in_windows(Both both, Key key, std::chrono::nanoseconds size, Late late, join_kind kind, naming name) {
  using K = owned_key<Key, either<L, R>>;
  if (name.id().empty()) name.name("window_join");
  auto sides = std::move(both) | key_by(std::move(key)) | tumbling_window(size, std::move(late)) |
               aggregate_description<join_sides<L, R>>(join_sides<L, R>(), std::move(name));
  return std::move(sides).with(timed<joined<K, L, R>>(), window_pairs_stage<K, L, R>(kind));
}

}  // namespace weir::detail
