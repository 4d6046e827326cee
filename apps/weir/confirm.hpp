#pragma once

#include <string_view>

namespace state_tool {

/// Asks whoever runs the program, on standard error, and reads the answer from standard input. True for y and yes; no answer is none.
bool confirm(std::string_view question);

}  // namespace state_tool
