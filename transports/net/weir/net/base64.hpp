#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace weir::net {

/// The bytes as base64 text, with padding and without line breaks. Source: RFC 4648, section 4.
std::string to_base64(std::string_view bytes);
/// Appends that to a text.
void append_base64(std::string& to, std::string_view bytes);
/// The bytes of such a text; empty when it is not exactly what `to_base64` writes: no other alphabet, no white space, no missing padding.
std::optional<std::string> from_base64(std::string_view text);
/// Writes the bytes of such a text, at most three for four characters, from `into` on, and returns where they end; null when it is none:
/// then what is behind `into` is of no use. Reads a gigabyte in about a second.
char* decode_base64(std::string_view text, char* into) noexcept;

}  // namespace weir::net
