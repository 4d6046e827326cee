#pragma once
#include <weir/operators/detail/recency_list.hpp>
#include <weir/operators/detail/sleeping_keys.hpp>
#include <weir/operators/detail/uncommitted_erasures.hpp>
#include <weir/operators/detail/working_set.hpp>
#include <weir/read_through.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::detail {

// In a checkpoint, beside the rows: some of them are read through. Behind those, which begin with '='.
inline constexpr std::string_view rows_left_in_store = ">";

// What keyed states know of rows that are in the store and not in memory: nothing, as there are none,
template <class K, class Kept> struct rows_outside {
  explicit rows_outside(all_in_memory) noexcept {}
  std::size_t memory() const noexcept { return 0; }
};

// or enough to find them, and to know which row may leave next.
template <class K> struct rows_outside<K, working_set> {
  explicit rows_outside(working_set n) : who(n.who()), most(n.size()) {}
  void clear() noexcept {
    out = 0;
    recent.clear();
    asleep.clear();
    erased.clear();
  }
  // In bytes.
  std::size_t memory() const noexcept { return recent.memory() + asleep.memory() + erased.memory(); }

  std::string_view who;
  std::size_t most;       // rows in memory, if all that is more is committed
  std::uint64_t out = 0;  // rows that are not
  bool unmarked = true;   // no checkpoint says yet that there may be such
  bool adopting = false;  // the checkpoint has rows as without a working set
  read_through stored;
  recency_list recent;  // rows in memory that some barrier has
  sleeping_keys<K> asleep;
  uncommitted_erasures erased;
};

}  // namespace weir::detail
