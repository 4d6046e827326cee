#include <weir/file/json_member.hpp>

#include <weir/file/utf8.hpp>

#include <fmt/format.h>

namespace weir::file {
namespace {

// RFC 8259 section 7.
void add_quoted(std::string& to, std::string_view text) {
  to += '"';
  for (char const c : text) {
    if (c == '"' || c == '\\') (to += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20) to += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else to += c;
  }
  to += '"';
}

}  // namespace

void add_json_member(std::string& to, std::string_view name, std::string_view bytes) {
  to += to.empty() ? '{' : ',';
  if (is_utf8(bytes)) {
    to += fmt::format("\"{}\":", name);
    add_quoted(to, bytes);
    return;
  }
  to += fmt::format("\"{}_hex\":\"", name);
  for (char const c : bytes) to += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  to += '"';
}

}  // namespace weir::file
