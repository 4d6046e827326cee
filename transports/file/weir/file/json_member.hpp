#pragma once
#include <string>
#include <string_view>

namespace weir::file {

/// Adds a member to a JSON object (RFC 8259) that is being written in `to`, which begins empty and is to be closed with '}'. A value that
/// is not UTF-8 is written in hexadecimal digits, under its name with `_hex` behind it. `name` needs no quoting.
void add_json_member(std::string& to, std::string_view name, std::string_view bytes);

}  // namespace weir::file
