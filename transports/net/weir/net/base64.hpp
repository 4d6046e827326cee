#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::net {

/// The bytes as base64 text, with padding and without line breaks. Source: RFC 4648, section 4.
std::string to_base64(std::string_view bytes);
/// The bytes of such a text; empty when it is not exactly what `to_base64` writes: no other alphabet, no white space, no missing padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace weir::net
