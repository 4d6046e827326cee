#pragma once
#include <string_view>

namespace weir {

/// Where a checkpoint says how operators lay out what they keep: the operator id of these entries, which no operator has. Under the id of
/// each operator, the text of its `state_schema()`; of one that says none, and in checkpoints of before there were any, nothing.
inline constexpr std::string_view schema_id = "(schema)";

}  // namespace weir
