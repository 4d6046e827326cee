#include "options.hpp"

#include "queries.hpp"

#include <command_line/parse.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace nexmark {
namespace {

constexpr char const* about =
    "The Nexmark benchmark: people, auctions and bids, and what is asked about them. Events are made in memory before anything is timed;\n"
    "queries run in turns on one thread, and print CPU time per event, medians, beside plain loops where there are some.";

constexpr char const* footer =
    "Examples:\n"
    "  nexmark                               all queries, 5 million events\n"
    "  nexmark --query q5 --query 'q5 60 s / 1 s' --events 20000000\n"
    "  nexmark --json figures.json\n\n"
    "Exit codes: 0 done; 1 failed, the reason is on standard error; 2 the command line is wrong.";

std::string known(std::string const& name) {
  auto const all = all_queries();
  if (std::any_of(all.begin(), all.end(), [&name](query const& q) { return name == q.name; })) return {};
  std::string list;
  for (query const& q : all) list += (list.empty() ? "'" : ", '") + std::string(q.name) + "'";
  return "'" + name + "' is none of " + list;
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "nexmark");
  app.add_option("--events", o.events, "how many events, 64 bytes of memory each")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  app.add_option("--repetitions", o.repetitions, "how often each query runs")->check(CLI::Range(1, 1'000))->capture_default_str();
  app.add_option("--seed", o.seed, "of the events: the same events for the same seed")
      ->check(command_line::not_negative)
      ->capture_default_str();
  app.add_option("--query", o.queries, "only this one; may be given several times")->check(known);
  app.add_option("--json", o.json, "a file that the figures are written to, as JSON");
  command_line::prepare(app, footer);
  if (!command_line::parse(app, argc, argv, exit_code)) return std::nullopt;
  return o;
}

}  // namespace nexmark
