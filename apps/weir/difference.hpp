#pragma once

#include <weir/state_store.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace state_tool {

/// A field of the head that is not the same.
struct field_difference {
  char const* field;
  std::string a, b;
};

/// An entry that only one has, or whose value is not the same.
struct entry_difference {
  weir::state_entry const* a;  ///< null: only B has it
  weir::state_entry const* b;  ///< null: only A has it
};

/// How two checkpoints differ. Points into them.
struct difference {
  std::vector<field_difference> fields;
  std::vector<entry_difference> entries;

  bool empty() const noexcept { return fields.empty() && entries.empty(); }
};

/// Compares everything but the keys.
difference compare(weir::saved_checkpoint const& a, weir::saved_checkpoint const& b);

}  // namespace state_tool
