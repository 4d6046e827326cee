#pragma once
#include <string>
#include <string_view>

namespace weir::aws {

/// Appends a text as a JSON string, quotes included. `text` is UTF-8, which is not checked. Source: RFC 8259, section 7.
void append_json_string(std::string& to, std::string_view text);

}  // namespace weir::aws
