#pragma once
#include <string>
#include <string_view>

namespace weir::detail {

// The text with U+FFFD for every byte that is no part of UTF-8 (RFC 3629 section 4).
std::string valid_utf8(std::string_view bytes);

}  // namespace weir::detail
