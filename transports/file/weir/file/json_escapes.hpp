#pragma once
#include <cstddef>

// Escapes in JSON strings (RFC 8259 section 7).
namespace weir::file {

/// Writes the string between its quotes, [begin, end), without its escapes to `out`, which has room for as many
/// bytes as it has. Returns the end of what was written, or null when an escape is wrong or one half of a surrogate pair stands alone.
char* unescape_json(char const* begin, char const* end, char* out) noexcept;

/// Whether the string between its quotes, [begin, end), has only escapes that `unescape_json` accepts.
bool check_json_escapes(char const* begin, char const* end) noexcept;

}  // namespace weir::file
