#pragma once
#include <cstddef>
#include <string_view>

namespace weir::file {

/// Whether `text` is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// Where the first byte stands that does not continue UTF-8; the size when there is none. For messages: byte by byte.
std::size_t first_invalid_utf8(std::string_view text) noexcept;

}  // namespace weir::file
