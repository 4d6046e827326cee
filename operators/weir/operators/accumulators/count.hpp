#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>

namespace weir {

/// How many elements there are: `aggregate(count())` gives a `std::uint64_t`; 0 for none.
///
/// An accumulator for elements of any type; their order plays no part.
/// State: 8 bytes.   Errors: none.   Source: SQL's COUNT(*).
struct count {
  /// The number itself.
  using state = std::uint64_t;

  /// What is in checkpoints, see `accumulator`.
  template <class T> std::string state_schema() const { return "count"; }
  template <class T> void add(state& s, T const&, instant) const noexcept { ++s; }
  void merge(state& s, state other) const noexcept { s += other; }
  state result(state s) const noexcept { return s; }
};

}  // namespace weir
