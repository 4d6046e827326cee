#pragma once
#include <weir/barrier.hpp>
#include <weir/error.hpp>
#include <weir/heir.hpp>
#include <weir/mark.hpp>
#include <weir/operator_state.hpp>
#include <weir/read_through.hpp>
#include <weir/shape.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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
//   tally const& counted() const noexcept   its books, by its `state_id`, for metrics
//   std::size_t memory()   how many bytes it holds, found in no more than a moment: it is asked once per chunk. Its `state_id` is its name
//     there, or `static constexpr std::string_view memory_name`; `static constexpr bool passing_memory = true`: what it holds goes with the
//     next checkpoint
//   bool looks_ahead() const   its memory is so large that it is worth the time to fetch what elements to come will need:
//     foresee(T const&), foresee_soon(T const&)   called for each, some elements before it; nothing is promised. They see the source's
//     elements: the stages in front, if any, hand them on as they are (`static constexpr bool hands_on_as_is = true`)
// With state that is part of checkpoints, `std::string_view state_id() const` and one of these pairs:
//   save(state_writer), restore(std::span<state_entry const>)   entry by entry: what has changed since the barrier before; what there was.
//   the same with a `read_through const&` behind, for state that is larger than memory
//   save(std::vector<std::byte>&), restore(std::span<std::byte const>)   all of it in one piece, with each barrier
// where it can go over to other partitions when its own has ended for good,
//   inherit(std::span<state_entry const>, heir const&)   instead of restore: takes over what was kept for another partition, as far as that
//     is the heir's; once for each that went before, whose keys are all different. The next barrier wants all of it
//   handed_over()   the partition has ended for good, and what is kept is others' from here on: so are the books (a `ledger`)
// and, so that the state of another version of the program is refused and not misread,
//   std::string state_schema() const   how it lays that out, for people too: "scan; key string; value u64 at 8". Key, value, and what else
//     makes stored bytes mean something else (the size of windows); not what may change from run to run (a bound, an expiry). A section
//     `value T` says where an entry has a T that is the user's, see `migrate_rows`
namespace weir {

/// Base of stages that have nothing to do with marks and the end.
struct forwards_marks {
  bool mark(weir::mark const& m, auto down) { return down.mark(m); }
  bool finish(auto down) { return down.finish(); }
};

/// A stage whose state is part of the checkpoint.
template <class S>
concept stateful_stage = requires(S const& s) {
  { s.state_id() } -> std::convertible_to<std::string_view>;
};

namespace detail {
// A stage that writes all its state with each barrier.
template <class S>
concept whole_state_stage = requires(S s, std::vector<std::byte> out) { s.save(out); };

// One that keeps a part of its state in the store.
template <class S>
concept read_through_stage = requires(S s, state_writer to, read_through const& stored) { s.save(to, stored); };

template <class S>
concept schema_stage = requires(S const& s) {
  { s.state_schema() } -> std::convertible_to<std::string>;
};

template <class S>
concept heritable_stage = requires(S s, std::span<state_entry const> from, heir const& by) { s.inherit(from, by); };

// `told`: its schema, in this run.
template <class S> void save_stage(S& s, barrier& cut, bool& told) {
  state_writer writer = cut.state().of(s.state_id());
  if (!std::exchange(told, true)) {
    if constexpr (schema_stage<S>) writer.schema(s.state_schema());
    if constexpr (!heritable_stage<S>) cut.state().stays(s.state_id());
  }
  if constexpr (read_through_stage<S>) {
    s.save(writer, read_through(cut.committed(), s.state_id(), cut.line(), s.state_id(), cut.number()));
  } else if constexpr (whole_state_stage<S>) {
    std::vector<std::byte> bytes;
    s.save(bytes);
    writer.put("", std::move(bytes));
  } else {
    s.save(writer);
  }
}
template <class S> std::span<state_entry const> entries_of_stage(S const& s, restored_state& from) {
  if constexpr (schema_stage<S>) return from.take(s.state_id(), s.state_schema());
  else return from.take(s.state_id());
}
// What was kept for a partition that went before.
template <class S> void inherit_stage(S& s, restored_state& from) {
  std::span<state_entry const> const entries = entries_of_stage(s, from);
  if (entries.empty()) return;
  if constexpr (heritable_stage<S>) {
    try {
      s.inherit(entries, from.taken_by());
    } catch (error& e) {
      e.with_detail("operator " + std::string(s.state_id()));
      throw;
    }
  } else {
    throw_stays(s.state_id());
  }
}
// One that the checkpoint does not know begins as new.
template <class S> void restore_stage(S& s, restored_state& from) {
  for (restored_state* const p : from.predecessors()) inherit_stage(s, *p);
  std::span<state_entry const> const entries = entries_of_stage(s, from);
  if (entries.empty()) return;
  if constexpr (read_through_stage<S>) s.restore(entries, from.left_in_store(s.state_id(), s.state_id()));
  else if constexpr (whole_state_stage<S>) s.restore(whole_state(entries));
  else s.restore(entries);
}

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
  /// What the stage is called in checkpoints.
  simple_stage&& named(std::string id) &&
    requires requires(Stage& s) { s.name(std::move(id)); }
  {
    stage_.name(std::move(id));
    return std::move(*this);
  }
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
