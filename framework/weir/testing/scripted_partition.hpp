#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::testing {

/// A partition of a script, to those that it goes on from or that go on from it.
struct scripted_partition {
  explicit scripted_partition(std::string of) : id(std::move(of)) {}
  std::string id;
  std::vector<std::string> follows;               ///< which end for good where it begins; none: it is there from the start
  std::function<bool(std::string_view)> has_key;  ///< whether records with this partition key are in it; empty: all are
};

}  // namespace weir::testing
