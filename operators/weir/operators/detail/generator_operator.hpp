#pragma once
#include <weir/fused_stream.hpp>
#include <weir/shape.hpp>
#include <weir/stage.hpp>
#include <weir/stream.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace weir::detail {

// What flows behind an operator: the same elements (time and key stay), or others (time stays).
struct same_elements {
  template <class Shape, class U> static Shape of(Shape const& s) { return s; }
};
struct other_elements {
  template <class Shape, class U> static same_time<Shape, U> of(Shape const&) { return {}; }
};

// An operator that waits, behind `|`: `make(stream<T>) -> stream<U>` opens its generator. Where T does not do, `make` says so in a
// static_assert and returns `rejected`.
template <class Make, class Out> class generator_operator {
public:
  using operator_tag = void;
  explicit generator_operator(Make m) : make_(std::move(m)) {}
  template <class Chain> auto append(Chain&& c) && {
    using before = typename std::remove_cvref_t<Chain>::shape_type;
    before const shape = c.shape();
    auto out = std::move(make_)(std::forward<Chain>(c).operator stream<typename before::element>());
    if constexpr (std::is_same_v<decltype(out), rejected>) {
      return out;
    } else {
      using element = typename decltype(out)::value_type;
      auto const behind = Out::template of<before, element>(shape);
      return fused_stream<std::remove_cvref_t<decltype(behind)>, before::has_time, element>(std::move(out), behind, std::tuple<>());
    }
  }

private:
  Make make_;
};

}  // namespace weir::detail
