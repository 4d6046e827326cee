#pragma once
#include <weir/mark.hpp>
#include <weir/shape.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// A stage is an operator that never waits: a value that is called for each element of a chunk, fused with its neighbours into one
// loop. It has a constructor (g++ 12 destroys aggregates in await expressions twice) and these members:
//   bool element(T& x, Time t, auto down)      down.element(y, t) hands on; false: finish this element, then give control back
//   bool mark(weir::mark const& m, auto down)  down.mark(m) hands on, after what the mark must not overtake
//   bool finish(auto down)                     end of the data
// and optionally
//   bool over() const                          true: wants no more input; the chain ends
//   bool holds() const                         true: some input is kept back (`static constexpr bool may_hold = true`)
//   void enter(context&) noexcept      before the first element of a pull: the strand's clock and hooks
//   void explain(explanation&) const   what it knows of time that does not pass
//   bool looks_ahead() const   its memory is so large that it is worth the time to fetch what elements to come will need:
//     foresee(T const&), foresee_soon(T const&)   called for each, some elements before it; nothing is promised. They see the source's
//     elements: the stages in front, if any, hand them on as they are (`static constexpr bool hands_on_as_is = true`)
//   save(std::vector<std::byte>&), restore(std::span<std::byte const>)   its part of a checkpoint
namespace weir {

/// Base of stages that have nothing to do with marks and the end.
struct forwards_marks {
  bool mark(weir::mark const& m, auto down) { return down.mark(m); }
  bool finish(auto down) { return down.finish(); }
};

/// A stage whose state is part of the checkpoint.
template <class S>
concept stateful_stage = requires(S s, std::vector<std::byte> out) { s.save(out); };

namespace detail {
template <class S>
concept holding_stage = requires { requires S::may_hold; };

template <class S, class T>
concept foreseeing_stage = requires(S const& s, T const& x) {
  s.looks_ahead();
  s.foresee(x);
  s.foresee_soon(x);
};
template <class S> inline constexpr bool hands_on_as_is = requires { requires S::hands_on_as_is; };

// What a refused composition yields: it swallows the rest of the chain, so that the static_assert is the only message.
struct rejected {
  template <class D> rejected operator|(D&&) const { return {}; }
  struct waiting {
    bool await_ready() const { return true; }
    void await_suspend(auto) const {}
    void* await_resume() const { return nullptr; }
  };
  waiting next() const { return {}; }
};
}  // namespace detail

/// What stands behind `|`: a stage, or an operator, not yet bound to an element type. `append(chain&&)` binds it.
template <class D>
concept operator_description = requires { typename D::operator_tag; };

/// A description whose stage does not depend on what flows in. `Out<Shape, Stage>::of(shape)` computes the shape behind it.
template <class Stage, template <class Shape, class S> class Out> class simple_stage {
public:
  using operator_tag = void;
  explicit simple_stage(Stage s) : stage_(std::move(s)) {}
  template <class Chain> auto append(Chain&& c) && {
    using shape = typename std::remove_cvref_t<Chain>::shape_type;
    auto behind = Out<shape, Stage>::of(c.shape());
    return std::forward<Chain>(c).with(std::move(behind), std::move(stage_));
  }

private:
  Stage stage_;
};

/// For `simple_stage`: the elements stay what they are, with time and key.
template <class Shape, class> struct unchanged {
  static Shape of(Shape const& s) { return s; }
};

}  // namespace weir
