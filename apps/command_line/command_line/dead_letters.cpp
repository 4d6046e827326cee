#include "dead_letters.hpp"

#include "json_text.hpp"

#include <fmt/format.h>

namespace command_line {

weir::file::broken_line_policy dead_letters::policy() {
  return weir::file::dead_letter([this](weir::file::broken_line const& line) { add(line); });
}

void dead_letters::add(broken_record const& record) {
  ++count_;
  lines_.add(fmt::format(R"({{"error":{},"stream":{},"partition":{},"position":{},"text":{}}})", json_string(as_utf8(record.message)),
                         json_string(as_utf8(record.stream)), json_string(as_utf8(record.partition)), json_string(record.position),
                         json_string(as_utf8(record.text))));
}

void dead_letters::add(weir::file::broken_line const& line) {
  ++count_;
  lines_.add(fmt::format(R"({{"error":{},"file":{},"line":{},"byte":{},"text":{}}})", json_string(as_utf8(line.message)),
                         json_string(as_utf8(line.path)), line.line_number, line.offset, json_string(as_utf8(line.text))));
}

}  // namespace command_line
