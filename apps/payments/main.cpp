#include "options.hpp"
#include "run_payments.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("payments", [=] {
    int exit_code = 0;
    auto const options = payments::parse_command_line(argc, argv, exit_code);
    return options ? payments::run_payments(*options) : exit_code;
  });
}
