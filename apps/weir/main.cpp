#include "commands.hpp"
#include "options.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("weir", [=] {
    int exit_code = 0;
    auto const options = state_tool::parse_command_line(argc, argv, exit_code);
    return options ? state_tool::run_state(*options) : exit_code;
  });
}
