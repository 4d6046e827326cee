#pragma once
#include <string>
#include <string_view>

namespace weir::aws::detail {

// Appends the byte, as "%2F" unless it is a letter, a digit, or one of -._~. Source: RFC 3986, section 2.3.
void encode(char byte, std::string& to);
// A '%' that no two hex digits follow stays as it is; '+' is a plus.
std::string decoded(std::string_view text);

}  // namespace weir::aws::detail
