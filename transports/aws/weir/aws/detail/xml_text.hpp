#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::aws::detail {

// The text of the first element of that name which has no elements in it; null: there is none. Enough for answers of AWS's query protocol,
// where each name that is read stands once; no XML reader.
std::optional<std::string> xml_text(std::string_view xml, std::string_view name);

}  // namespace weir::aws::detail
