#include "generator.hpp"
#include "options.hpp"
#include "report.hpp"
#include "run_queries.hpp"

#include <command_line/guarded_main.hpp>
#include <command_line/whole_file.hpp>

#include <iostream>

int main(int argc, char** argv) {
  return command_line::guarded_main("nexmark", [=] {
    int exit_code = 0;
    auto const options = nexmark::parse_command_line(argc, argv, exit_code);
    if (!options) return exit_code;
    auto events = nexmark::generate(options->events, {.seed = options->seed});
    auto const all = nexmark::run_queries(*options, events);
    std::cout << nexmark::table(all, events.size());
    if (options->json) command_line::write_whole_file(*options->json, nexmark::json(all, events.size()), "figures");
    return 0;
  });
}
