#pragma once
#include <string>
#include <string_view>

namespace weir::net {

/// Appends the byte, as "%2F" unless it is a letter, a digit, or one of -._~. Source: RFC 3986, section 2.3.
void percent_encode(char byte, std::string& to);
/// The bytes that such a text stands for. A '%' that no two hex digits follow stays as it is; '+' is a plus.
std::string percent_decoded(std::string_view text);

}  // namespace weir::net
