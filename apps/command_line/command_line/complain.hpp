#pragma once

#include <string_view>

namespace command_line {

/// Says what went wrong, as one line on standard error that begins with the program's name, once.
void complain(std::string_view program, std::string_view message);

}  // namespace command_line
