#include "complain.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace command_line {

void complain(std::string_view program, std::string_view message) {
  std::string const name = std::string(program) + ": ";
  if (message.starts_with(name)) message.remove_prefix(name.size());
  std::string line(message);
  for (char& c : line)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "{}{}\n", name, line);
}

}  // namespace command_line
