#include "options.hpp"

#include <command_line/parse.hpp>
#include <command_line/stream_options.hpp>

#include <CLI/CLI.hpp>

namespace fraud {
namespace {

constexpr char const* about =
    "Watches logins: too many failed ones of an account within minutes, and successful ones from places which nobody can travel between\n"
    "in the time.\n\n"
    "Logins are judged in the order in which they happened, also when they arrive out of order. Without --input they come from a\n"
    "built-in scenario with planted frauds, which is the same on every machine.";

constexpr char const* footer =
    "Input: a line of JSON per login, time in ms since 1970 (UTC) or RFC 3339, places in degrees:\n"
    "  {\"account\":\"a17\",\"time\":1735828200000,\"latitude\":52.52,\"longitude\":13.405,\"success\":true}\n\n"
    "Examples:\n"
    "  fraud                                                    the built-in logins; alerts as NDJSON on standard output\n"
    "  fraud --input logins.ndjson.gz --alerts alerts.ndjson    a file\n"
    "  fraud --failures 5 --within 1m --max-speed 900           other rules\n\n"
    "Exit codes: 0 done; 1 failed, the reason is on standard error; 2 the command line is wrong; 130 and 143 stopped by Ctrl-C and by\n"
    "SIGTERM.";

void add_rules(CLI::App& app, rules& r) {
  app.add_option("--failures", r.failures, "Failed logins of an account that are too many, whatever comes between them")
      ->check(CLI::Range(1U, 1'000U))
      ->capture_default_str()
      ->type_name("N")
      ->group("Rules");
  command_line::add_duration(app, "--within", r.within, "... within so long", 1'000'000)->group("Rules");
  app.add_option("--max-speed", r.max_speed, "Kilometres per hour that nobody travels faster than")
      ->check(command_line::finite)
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str()
      ->type_name("SPEED")
      ->group("Rules");
  app.add_option("--least-distance", r.least_distance, "Kilometres between logins which are not far enough apart to be judged")
      ->check(command_line::finite)
      ->check(CLI::Range(0.0, 20'000.0))
      ->capture_default_str()
      ->type_name("KM")
      ->group("Rules");
}

void add_scenario(CLI::App& app, options& o, CLI::Option* input) {
  auto const made = [&](char const* name, auto& target, char const* what) {
    return app.add_option(name, target, what)->capture_default_str()->type_name("N")->excludes(input)->group("Built-in logins");
  };
  made("--accounts", o.made.accounts, "Number of accounts")->check(CLI::Range(1U, 1'000'000U));
  made("--rate", o.made.rate, "Logins per second of event time")->check(CLI::Range(1U, 1'000'000U));
  made("--every", o.made.every, "After so many honest logins a fraud, or something that nearly is one, is planted")
      ->check(CLI::Range(1U, 1'000'000'000U));
  command_line::add_duration(app, "--disorder", o.made.disorder, "How long after they happened logins may arrive", 0)
      ->excludes(input)
      ->group("Built-in logins");
  made("--seed", o.made.seed, "Another seed, other logins")->check(command_line::not_negative);
  made("--count", o.count, "Logins to make")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "fraud");
  command_line::prepare(app, footer);
  auto* const input = command_line::add_input(app, o.input, "File of logins, NDJSON; may be gzip (.gz)");
  command_line::add_broken_lines(app, o.dead_letters, "a login")->needs(input);
  command_line::add_duration(app, "--bound", o.bound, "How far out of order logins may be: one further behind is counted, and not judged",
                             0)
      ->group("Rules");
  add_rules(app, o.judged_by);
  add_scenario(app, o, input);
  app.add_option("--alerts", o.alerts, "File for the alerts, NDJSON; - for standard output")
      ->check([](std::string const& text) { return std::string(text.empty() ? "the name of the file is empty" : ""); })
      ->capture_default_str()
      ->type_name("FILE")
      ->group("Output");
  if (!command_line::parse(app, argc, argv, exit_code)) return std::nullopt;
  return o;
}

}  // namespace fraud
