#include "complain.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace ticks {

void complain(std::string_view message) {
  constexpr std::string_view name = "ticks: ";
  if (message.starts_with(name)) message.remove_prefix(name.size());
  std::string line(message);
  for (char& c : line)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "{}{}\n", name, line);
}

}  // namespace ticks
