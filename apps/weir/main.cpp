#include "commands.hpp"
#include "hub_commands.hpp"
#include "kinesis_commands.hpp"
#include "lambda_commands.hpp"
#include "letter_commands.hpp"
#include "options.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("weir", [=] {
    int exit_code = 0;
    auto const options = state_tool::parse_command_line(argc, argv, exit_code);
    if (!options) return exit_code;
    if (options->lambda) return lambda_tool::invoke(*options->lambda);
    if (options->kinesis) return kinesis_tool::run_kinesis(*options->kinesis);
    if (options->eventhubs) return hub_tool::run_eventhubs(*options->eventhubs);
    return options->letters ? letter_tool::run_dead_letters(*options->letters) : state_tool::run_state(*options);
  });
}
