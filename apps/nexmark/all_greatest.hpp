#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace nexmark {

/// An accumulator: the elements `T` with the greatest `weight(element)`, a whole number above zero; all of them where several have it.
template <class T, class Weight> class all_greatest {
public:
  struct state {
    std::int64_t weight = 0;
    std::vector<T> values;
  };
  explicit all_greatest(Weight w) : weight_(std::move(w)) {}
  void add(state& s, T const& x, weir::instant) const {
    std::int64_t const w = weight_(x);
    if (w < s.weight) return;
    if (w > s.weight) s.weight = w, s.values.clear();
    s.values.push_back(x);
  }
  void merge(state& s, state const& other) const {
    if (other.weight < s.weight) return;
    if (other.weight > s.weight) s.weight = other.weight, s.values.clear();
    s.values.insert(s.values.end(), other.values.begin(), other.values.end());
  }
  std::vector<T> result(state const& s) const { return s.values; }

private:
  [[no_unique_address]] Weight weight_;
};
template <class T, class Weight> auto greatest_of(Weight w) { return all_greatest<T, Weight>(std::move(w)); }

}  // namespace nexmark
