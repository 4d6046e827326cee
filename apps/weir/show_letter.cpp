#include "letter_commands.hpp"
#include "text.hpp"

#include <weir/rfc3339.hpp>

#include <command_line/json_text.hpp>

#include <fmt/format.h>

#include <span>

namespace letter_tool {

int show(opened_letters const& letters, options const& o) {
  kept_letter const& k = letter_of(letters, o.ids.front());
  if (o.json) {
    print_json(k);
    return 0;
  }
  weir::dead_letter const& l = k.letter;
  auto const line = [](char const* name, std::string const& value) { fmt::print("{:<10} {}\n", name, value); };
  line("pipeline", state_tool::name_text(l.pipeline));
  line("stream", state_tool::name_text(l.stream));
  line("partition", state_tool::name_text(l.partition));
  line("position", l.position.text());
  line("died at", weir::format_rfc3339(l.died_at));
  line("attempts", std::to_string(l.attempts));
  line("replayed", k.replayed_at ? weir::format_rfc3339(*k.replayed_at) : "no");
  if (!l.code.empty()) line("code", l.code);
  line("error", state_tool::name_text(l.error));
  bool const text = command_line::is_plain_text(l.payload);
  line("payload", state_tool::count_text(l.payload.size(), "byte", "bytes") + (text ? "" : ", in hexadecimal digits"));
  fmt::print("{}\n", text ? l.payload : state_tool::hex(std::as_bytes(std::span(l.payload))));
  return 0;
}

}  // namespace letter_tool
