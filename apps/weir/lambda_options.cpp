#include "lambda_options.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace lambda_tool {
namespace {

constexpr char const* about = "Runs a function of AWS Lambda on this machine";
constexpr char const* footer =
    "weir lambda invoke EVENT... [OPTIONS] -- PROGRAM [ARGUMENT...]\n\n"
    "The program finds the Runtime API at AWS_LAMBDA_RUNTIME_API, as a bootstrap does in Lambda. Its answers go to standard output,\n"
    "one a line; what it says itself, and how each invocation ended, goes to standard error. It is ended, and started again for the\n"
    "next invocation, when it takes longer than the timeout.\n\n"
    "Example: weir lambda invoke kinesis-event.json --redeliver -- ./bootstrap\n\n"
    "Exit codes: 0 every event is answered, and all of its records are done; 1 not so, the reason is on standard error; 2 the command\n"
    "line is wrong.";
constexpr unsigned usual_redeliveries = 10;

}  // namespace

int words_before_program(int argc, char const* const* argv) noexcept {
  if (argc < 2 || std::string_view(argv[1]) != "lambda") return argc;
  for (int i = 2; i != argc; ++i)
    if (std::string_view(argv[i]) == "--") return i;
  return argc;
}

void add_lambda(CLI::App& app, std::optional<options>& to, std::vector<std::string> program) {
  auto const o = std::make_shared<options>();  // lives as long as what refers to it
  o->program = std::move(program);
  auto& lambda = *app.add_subcommand("lambda", about);
  lambda.footer(footer);
  lambda.require_subcommand(1);
  auto& invoke = *lambda.add_subcommand("invoke", "Stands as the Runtime API for a program, and invokes it with events");
  invoke.footer(footer);
  invoke.add_option("EVENT", o->events, "Files with the payloads, one invocation after the other; -: standard input")
      ->type_name("")
      ->required();
  invoke
      .add_option_function<unsigned>(
          "--timeout", [o](unsigned seconds) { o->timeout = std::chrono::seconds(seconds); },
          "How long an invocation may take, in seconds, up to 900")
      ->type_name("S")
      ->check(CLI::Range(1U, 900U))
      ->default_str("3");
  invoke
      .add_option("--redeliver", o->redeliveries,
                  "Invoke again with the records that an answer reports (batchItemFailures), or with all after a failure, up to so many "
                  "times an event, as an event source mapping does; without N, 10 times")
      ->type_name("N")
      ->expected(0, 1)
      ->check(CLI::Range(1U, 10'000U))
      ->default_str(std::to_string(usual_redeliveries));
  invoke.callback([o, &to] {
    if (o->program.empty())
      throw CLI::ValidationError("give the function's program behind --: weir lambda invoke EVENT.json -- ./bootstrap");
    to = *o;
  });
}

}  // namespace lambda_tool
