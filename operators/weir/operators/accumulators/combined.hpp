#pragma once
#include <weir/instant.hpp>
#include <weir/operators/accumulator.hpp>
#include <weir/operators/detail/schema_sections.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir {

/// Several accumulators over the same elements at once: `combined(count(), mean(&tick::price))` gives a `std::tuple` of their results, in
/// their order: `auto const [n, price] = ...`.
///
/// An accumulator for the elements that all of them take, user-defined ones too. Order plays the part it plays for each.
/// State: a tuple of theirs.
/// Errors: theirs. Those before the one that failed have the element then, so the state is to be dropped, as it is when a pipeline fails.
/// Source: "banana split", Meijer, Fokkinga, Paterson, "Functional programming with bananas, lenses, envelopes and barbed wire" (1991).
template <class... Accumulators> class combined {
  static_assert(sizeof...(Accumulators) != 0, "weir: combined needs at least one accumulator");
  using indices = std::index_sequence_for<Accumulators...>;

public:
  /// What is kept of elements `T`.
  template <class T>
    requires(accumulator<Accumulators, T> && ...)
  using state_for = std::tuple<accumulator_state<Accumulators, T>...>;

  explicit combined(Accumulators... accumulators) : all_(std::move(accumulators)...) {}

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const {
    std::string all;
    each(indices(), [&](auto i) {
      all += (all.empty() ? "" : ", ") +
             detail::schema_of_accumulator<std::tuple_element_t<i(), std::tuple<Accumulators...>>, T>(std::get<i()>(all_));
    });
    return "combined<" + all + ">";
  }
  template <class T> void add(state_for<T>& s, T const& x, instant t) const {
    each(indices(), [&](auto i) { std::get<i()>(all_).add(std::get<i()>(s), x, t); });
  }
  template <class State> void merge(State& s, State const& other) const {
    each(indices(), [&](auto i) { std::get<i()>(all_).merge(std::get<i()>(s), std::get<i()>(other)); });
  }
  template <class State> auto result(State const& s) const { return results(indices(), s); }

private:
  template <std::size_t... I> static void each(std::index_sequence<I...>, auto const& f) {
    (f(std::integral_constant<std::size_t, I>()), ...);
  }
  template <std::size_t... I, class State> auto results(std::index_sequence<I...>, State const& s) const {
    return std::tuple<std::decay_t<decltype(std::get<I>(all_).result(std::get<I>(s)))>...>(std::get<I>(all_).result(std::get<I>(s))...);
  }

  std::tuple<Accumulators...> all_;
};

}  // namespace weir
