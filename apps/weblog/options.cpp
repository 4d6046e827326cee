#include "options.hpp"

#include <command_line/parse.hpp>
#include <command_line/stream_options.hpp>

#include <CLI/CLI.hpp>

namespace weblog {
namespace {

constexpr char const* about =
    "Turns the access log of a web server (Apache combined format) into counts over the time of the requests.\n\n"
    "Lines may be out of order: what is not further than --bound behind the newest one is counted in the right window. Results are CSV\n"
    "files with times in ms since 1970 (UTC), and ledger.json says what became of every request.";

constexpr char const* footer =
    "Results, in the folder of --output:\n"
    "  sessions-30m.csv            visits per client: a silence of 30 minutes ends one\n"
    "  status-per-hour.csv         answers per status and hour\n"
    "  sliding-1h-every-10m.csv    requests of an hour, every ten minutes\n"
    "  top3-clients-per-hour.csv   the clients with the most requests of each hour\n"
    "  alerts-5m.csv               five minutes with too many errors\n"
    "  late.csv                    with --late side: what came after its window closed\n"
    "  ledger.json                 per result: in = out + late + duplicate + dead + open\n\n"
    "Examples:\n"
    "  weblog --input access.log.gz                            results into weblog-results/\n"
    "  weblog --input access.log --bound 10s --late update     smaller state; windows are corrected\n"
    "  weblog --input access.log --on-broken-line dead-letter broken.ndjson --alert-above 2 --errors-from 400\n\n"
    "Exit codes: 0 done; 1 failed, the reason is on standard error; 2 the command line is wrong; 130 and 143 stopped by Ctrl-C and by\n"
    "SIGTERM.";

void add_alerts(CLI::App& app, alert_rule& rule) {
  auto const option = [&](char const* flag, auto& target, char const* what, char const* type) {
    return app.add_option(flag, target, what)->check(command_line::not_negative)->capture_default_str()->type_name(type)->group("Alerts");
  };
  option("--alert-above", rule.above, "Errors of five minutes that are too many: more than so many percent of the requests", "PERCENT")
      ->check(command_line::finite)
      ->check(CLI::Range(0.0, 100.0));
  option("--alert-at-least", rule.at_least, "Five minutes with fewer requests are no reason for an alert", "N");
  option("--errors-from", rule.errors_from, "Lowest status that is an error", "STATUS")->check(CLI::Range(400, 599));
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "weblog");
  command_line::prepare(app, footer);
  command_line::add_input(app, o.input, "Access log in Apache's combined format; may be gzip (.gz)")->required();
  command_line::add_broken_lines(app, o.dead_letters, "a request");
  app.add_option("-o,--output", o.output, "Folder for the results; made where it is missing")
      ->check([](std::string const& text) { return std::string(text.empty() ? "the name of the folder is empty" : ""); })
      ->capture_default_str()
      ->type_name("DIR")
      ->group("Output");
  command_line::add_event_time_options(app, o.time);
  add_alerts(app, o.alert);
  if (!command_line::parse(app, argc, argv, exit_code)) return std::nullopt;
  return o;
}

}  // namespace weblog
