#pragma once

#include "selection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace letter_tool {

/// What the command line asks for, of `weir dead-letters`.
struct options {
  enum class task { list, show, replay };
  task what = task::list;

  std::string place;            ///< a file of SQLite, or of lines of JSON
  state_tool::selection which;  ///< of list and replay
  bool json = false;            ///< of list and show

  std::vector<std::uint64_t> ids;  ///< of show: one; of replay: those alone; empty: all
  std::string to = "-";            ///< of replay: a file; "-" is standard output
  bool again = false;              ///< of replay: also those that were replayed
};

/// Adds the command to the program's; when it was given, `to` is what it says.
void add_dead_letters(CLI::App& app, std::optional<options>& to);

}  // namespace letter_tool
