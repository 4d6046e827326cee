#pragma once
#include <weir/dynamodb/attribute_value.hpp>

#include <vector>

namespace weir::dynamodb {

/// Some of what a Query or a Scan finds: as much as DynamoDB looks at in one call, at most 1 MB.
struct page {
  page() = default;

  std::vector<item> items;  ///< of a Query in the order of the sort key; may be empty though there are more pages
  item next;                ///< where the next page begins, for the next request; empty: this is the last one
};

}  // namespace weir::dynamodb
