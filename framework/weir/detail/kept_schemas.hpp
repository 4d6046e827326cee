#pragma once
#include <weir/operator_state.hpp>
#include <weir/state_store.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace weir::detail {

// How operators lay out what they keep, as the checkpoint says, or will with the changes to come.
class kept_schemas {
public:
  // `entries`: of a checkpoint; others than those of `schema_id` do not matter.
  void load(std::span<state_entry const> entries);
  // Operators have said theirs: adds what has changed.
  void take(std::vector<operator_schema> said, std::vector<state_change>& changes);

private:
  std::map<std::string, std::string, std::less<>> all_;
};

// Its entry.
state_entry schema_entry(operator_schema const& s);
// Of an entry of `schema_id`.
operator_schema schema_in(state_entry const& e);

}  // namespace weir::detail
