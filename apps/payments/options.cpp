#include "options.hpp"

#include <command_line/parse.hpp>
#include <command_line/store_option.hpp>
#include <command_line/stream_options.hpp>
#include <command_line/time_text.hpp>

#include <CLI/CLI.hpp>

#include <utility>

namespace payments {
namespace {

constexpr char const* about =
    "Adds payments up per key, each once, although the source delivers some of them again, and some late.\n\n"
    "A payment that was seen before, by its id, is a duplicate and not counted. One that comes when its window has closed is late; --late\n"
    "says what happens to it. Without --input a demonstration runs: nine payments in twelve deliveries, one of them late.\n\n"
    "With --totals the sums of the windows are in the table payment_totals of a SQLite file or a PostgreSQL database, and a run that was\n"
    "stopped or killed goes on where it was: each payment is in them exactly once.";

constexpr char const* footer =
    "Input: a line of JSON per delivery, amounts exact, time in ms since 1970 (UTC) or RFC 3339:\n"
    "  {\"id\":\"pay-101\",\"key\":\"shop-a\",\"amount\":\"19.90\",\"time\":1735828205000}\n\n"
    "Examples:\n"
    "  payments                  the demonstration; the late payment is dropped, and counted\n"
    "  payments --late side      ... it is listed\n"
    "  payments --late update    ... its window is corrected\n"
    "  payments --input payments.ndjson.gz --window 1h --bound 1m\n"
    "  payments --input payments.ndjson --totals payments.sqlite\n"
    "  payments --input payments.ndjson --totals postgres:'host=db dbname=shop'\n\n"
    "Exit codes: 0 done; 1 failed, the reason is on standard error; 2 the command line is wrong; 130 and 143 stopped by Ctrl-C and by\n"
    "SIGTERM.";

// An id that is forgotten while its payment can still be counted lets a duplicate through.
void check_horizon(options const& o) {
  std::int64_t least = o.time.bound;
  if (o.time.late == command_line::late_policy::update && __builtin_add_overflow(least, o.time.lateness, &least)) least = INT64_MAX;
  if (o.horizon >= least) return;
  throw CLI::ValidationError("--horizon", "'" + command_line::duration_text(o.horizon) + "' is shorter than --bound" +
                                              (o.time.late == command_line::late_policy::update ? " and --lateness together" : "") + ", " +
                                              command_line::duration_text(least));
}

// They are listed when the run ends, from memory: a run that is killed would have lost those that its progress has passed.
void check_kept(options const& o) {
  if (o.totals && o.time.late == command_line::late_policy::side)
    throw CLI::ValidationError("--totals", "late payments that are set aside are not kept over a crash; use --late drop or --late update");
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "payments");
  command_line::prepare(app, footer);
  auto* const input = command_line::add_input(app, o.input, "File of payments, NDJSON; may be gzip (.gz)");
  command_line::add_broken_lines(app, o.dead_letters, "a payment")->needs(input);
  constexpr std::int64_t millisecond = 1'000'000;
  command_line::add_duration(app, "-w,--window", o.window, "Payments are added up over windows of so long", millisecond)
      ->group("Event time");
  command_line::add_event_time_options(app, o.time);
  command_line::add_duration(app, "--horizon", o.horizon, "How long ids are remembered, in the time of the payments", millisecond)
      ->group("Event time");
  auto const to_totals = [&o](command_line::store_name name) { o.totals = std::move(name); };
  command_line::add_store(app, "-o,--totals", "SQLite file for totals and progress, or postgres:CONNINFO; without, they are in memory",
                          to_totals)
      ->needs(input)
      ->group("Output");
  app.add_option("--batch", o.batch, "Deliveries between two checkpoints, at most")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str()
      ->type_name("N")
      ->group("Output");
  app.final_callback([&o] {
    check_horizon(o);
    check_kept(o);
  });
  if (!command_line::parse(app, argc, argv, exit_code)) return std::nullopt;
  return o;
}

}  // namespace payments
