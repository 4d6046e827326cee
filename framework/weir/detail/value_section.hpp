#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {
class migration;
}

// The section of an operator's schema that says where an entry has a value of the user's: `value T` in the only entry, from its begin on;
// `value T at 8` in each entry with a key, behind 8 bytes; `value T at 32 behind the key` behind a key and 32 bytes; `value T repeated` in
// each entry with a key, one after the other. Sections stand between "; ".
namespace weir::detail {

struct value_section {
  enum class where { whole, row, row_behind_key, row_repeated };
  where kept = where::whole;
  std::size_t at = 0;
  std::size_t begin = 0, size = 0;  // of the value's schema in the text
};
// The section of a schema whose value is laid out as `value`. Null: there is none.
std::optional<value_section> find_value_section(std::string_view schema, std::string_view value);

// How values change, whatever their types.
struct value_change {
  std::string from, to;  // schemas
  std::function<void(std::span<std::byte const>&)> skip_key;
  std::function<void(std::span<std::byte const>&, std::vector<std::byte>&)> one;
};
migration migrate_values(std::string operator_id, value_change change);

}  // namespace weir::detail
