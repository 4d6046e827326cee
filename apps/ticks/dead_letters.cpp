#include "dead_letters.hpp"

#include "bar_event.hpp"
#include "decode_tick.hpp"

#include <fmt/format.h>

namespace ticks {
namespace {

// Every byte that is no part of UTF-8 text as U+FFFD.
std::string as_text(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    std::size_t size = 1;
    while (size <= 4 && size <= bytes.size() && !is_utf8(bytes.substr(0, size))) ++size;
    if (size > 4 || size > bytes.size()) {
      out += "\xef\xbf\xbd";
      size = 1;
    } else {
      out += bytes.substr(0, size);
    }
    bytes.remove_prefix(size);
  }
  return out;
}

}  // namespace

weir::file::broken_line_policy dead_letters::policy() {
  return weir::file::dead_letter([this](weir::file::broken_line const& line) { add(line); });
}

void dead_letters::add(weir::file::broken_line const& line) {
  ++count_;
  lines_.add(fmt::format(R"({{"error":{},"file":{},"line":{},"byte":{},"text":{}}})", json_string(as_text(line.message)),
                         json_string(as_text(line.path)), line.line_number, line.offset, json_string(as_text(line.text))));
}

}  // namespace ticks
