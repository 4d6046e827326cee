#pragma once
#include <weir/dynamodb/attribute_value.hpp>

#include <optional>

namespace weir::dynamodb {

/// What has become of a write that has a condition. That it did not hold is an answer, no error.
struct write_outcome {
  write_outcome() = default;

  bool done = false;  ///< false: the condition did not hold, and nothing was changed
  /// Where it did not hold: the item as it is, when DynamoDB has said so. Emulators do not; ask for it then. Null also when there is none.
  std::optional<item> found;
};

}  // namespace weir::dynamodb
