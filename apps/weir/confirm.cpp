#include "confirm.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

namespace state_tool {

bool confirm(std::string_view question) {
  std::fflush(stdout);
  fmt::print(stderr, "{} [y/N] ", question);
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "Y" || answer == "yes") return true;
  fmt::print(stderr, "nothing was changed\n");
  return false;
}

}  // namespace state_tool
