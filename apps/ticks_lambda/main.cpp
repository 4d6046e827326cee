// The `bootstrap` of a function of AWS Lambda.
#include "run_function.hpp"

#include <command_line/guarded_main.hpp>

int main() {
  return command_line::guarded_main("ticks", [] { return ticks::run_function(weir::aws::process_variables()); });
}
