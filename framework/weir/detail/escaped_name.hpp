#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::detail {

// A name of any bytes in letters, digits, '.', '-' and '_', other bytes as % and two digits; so that names of a checkpoint's key can stand
// beside each other in the key of a store.
std::string escaped_name(std::string_view name);
// Null: `escaped_name` cannot have written it.
std::optional<std::string> unescaped_name(std::string_view text);

}  // namespace weir::detail
