#include <weir/aws/json_string.hpp>

namespace weir::aws {

void append_json_string(std::string& to, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  to += '"';
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      to += '\\';
      to += c;
    } else if (byte < 0x20) {
      to += "\\u00";
      to += hex[byte >> 4];
      to += hex[byte & 15];
    } else {
      to += c;
    }
  }
  to += '"';
}

}  // namespace weir::aws
