#pragma once
#include <weir/state_store.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::postgres::detail {

// What the steps of a commit come to, whatever is stored: first all entries with a prefix go, then single ones, and then entries are put.
// No name is among both the erased and the put, which are ordered by it. Views are into the changes.
struct net_changes {
  using name = std::pair<std::string_view, std::string_view>;  // operator, key
  explicit net_changes(std::span<state_change const> changes);

  std::vector<name> prefixes;
  std::vector<name> erased;
  std::vector<state_entry const*> put;
};

// The least text that is above all those that begin with `prefix`; empty when there is none.
std::string end_of_prefix(std::string_view prefix);

}  // namespace weir::postgres::detail
