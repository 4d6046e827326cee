#pragma once

#include <string>
#include <string_view>

namespace command_line {

/// `text` as a JSON string, quotes included (RFC 8259 section 7). `text` is UTF-8.
std::string json_string(std::string_view text);

/// Whether `text` is well-formed UTF-8 (RFC 3629).
bool is_utf8(std::string_view text) noexcept;
/// The same, without control characters.
bool is_plain_text(std::string_view text) noexcept;
/// The text with every byte that is no part of UTF-8 as U+FFFD.
std::string as_utf8(std::string_view bytes);

/// A value of any length and of any bytes, for messages: the first 40 bytes, those outside printable ASCII as `\xff`.
std::string shown(std::string_view bytes);

}  // namespace command_line
