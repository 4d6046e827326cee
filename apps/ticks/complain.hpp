#pragma once

#include <string_view>

namespace ticks {

/// Says what went wrong, as one line on standard error that begins with the program's name.
void complain(std::string_view message);

}  // namespace ticks
