#include "options.hpp"
#include "run_log.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("weblog", [=] {
    int exit_code = 0;
    auto const options = weblog::parse_command_line(argc, argv, exit_code);
    return options ? weblog::run_log(*options) : exit_code;
  });
}
