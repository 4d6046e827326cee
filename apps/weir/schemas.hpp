#pragma once

#include <weir/operator_state.hpp>
#include <weir/state_store.hpp>

#include <vector>

namespace state_tool {

/// How the operators of a checkpoint lay out what they keep, by operator; of those that say it.
std::vector<weir::operator_schema> schemas_of(weir::saved_checkpoint const& c);

/// Whether the entry is one of these, and of no operator.
bool is_schema(weir::state_entry const& e);

}  // namespace state_tool
