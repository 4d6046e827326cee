#include "options.hpp"
#include "run_fraud.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("fraud", [=] {
    int exit_code = 0;
    auto const options = fraud::parse_command_line(argc, argv, exit_code);
    return options ? fraud::run_fraud(*options) : exit_code;
  });
}
