#include "demo.hpp"
#include "options.hpp"
#include "run_bars.hpp"

#include <command_line/guarded_main.hpp>

int main(int argc, char** argv) {
  return command_line::guarded_main("ticks", [=] {
    int exit_code = 0;
    auto const options = ticks::parse_command_line(argc, argv, exit_code);
    if (!options) return exit_code;
    if (options->what == ticks::options::task::demo)
      return ticks::run_demo(options->naive ? ticks::demo_fold::naive : ticks::demo_fold::idempotent);
    return ticks::run_bars(*options);
  });
}
