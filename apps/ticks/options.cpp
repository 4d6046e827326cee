#include "options.hpp"

#include "time_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <vector>

namespace ticks {
namespace {

constexpr char const* about =
    "Turns market-data ticks into bars (open, high, low, close, volume, number of trades) per symbol and minute.\n\n"
    "Bars are exact decimals in a SQLite file, table bars. A run that was stopped or killed goes on where it was: every tick is in its "
    "bar\n"
    "exactly once. Without --input the ticks come from a built-in market that is the same on every machine.";

constexpr char const* footer =
    "Examples:\n"
    "  ticks                                            a million ticks of the built-in market\n"
    "  ticks --input trades.ndjson.gz                   one-minute bars of a file, into ticks.bars.sqlite\n"
    "  ticks --input trades.csv --field-size qty --time-unit rfc3339 --window 5m --bars day.sqlite\n"
    "  ticks --input live.ndjson --follow --events -    closed bars as NDJSON, as they close\n"
    "  ticks --speed 60 --count 0                       a market without end, a minute of it per second\n"
    "  ticks demo; ticks demo --naive                   why folding must be idempotent\n"
    "  sqlite3 ticks.bars.sqlite 'SELECT * FROM bars'   the result\n\n"
    "Exit codes: 0 done; 1 failed, the reason is on standard error; 2 the command line is wrong; 130 and 143 stopped by Ctrl-C and by\n"
    "SIGTERM after finishing and saving what was under way: run the same command again to go on.";

// What people look for: the name, what it takes, what it means, what it is by default. CLI11's own lists the checks and exclusions too.
class plain_formatter : public CLI::Formatter {
public:
  std::string make_option_opts(CLI::Option const* option) const override {
    auto const type = option->get_type_name();  // of "N:UINT in [1 - 100]" what stands before the check
    return option->get_type_size() == 0 ? std::string() : " " + type.substr(0, type.find(':'));
  }
  std::string make_option_desc(CLI::Option const* option) const override {
    auto const standard = option->get_default_str();
    return option->get_description() + (standard.empty() || option->get_type_size() == 0 ? std::string() : " [" + standard + "]");
  }
};

int explain(CLI::App const& app, CLI::ParseError const& failure, int& exit_code) {
  if (failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(failure);
    return exit_code = 0;
  }
  std::string reason = failure.what();
  for (char& c : reason)
    if (c == '\n') c = ' ';
  fmt::print(stderr, "ticks: {}; see ticks --help\n", reason);
  return exit_code = 2;
}

// CLI11 reads "-5" into an unsigned number as 2^64 - 5.
std::string not_negative(std::string const& text) { return text.find('-') == std::string::npos ? "" : "Value " + text + " is below zero"; }

// Exactly one of a few words.
template <class Value> void choose(std::string const& flag, std::string const& text, Value& out,
                                   std::map<std::string, Value> const& words) {
  auto const place = words.find(text);
  if (place == words.end()) {
    std::string list;
    for (auto const& [word, value] : words) list += (list.empty() ? "" : ", ") + word;
    throw CLI::ValidationError(flag, "'" + text + "' is none of " + list);
  }
  out = place->second;
}

void add_input(CLI::App& app, options& o) {
  auto* const input = app.add_option("-i,--input", o.input, "File of ticks: NDJSON or CSV with a header line, either may be gzip (.gz)")
                          ->type_name("FILE")
                          ->check([](std::string const& text) { return std::string(text.empty() ? "the name of the file is empty" : ""); })
                          ->group("Input");
  auto const word = [&](char const* flag, auto& target, char const* type, char const* what, auto const& words) {
    return app
        .add_option_function<std::string>(
            flag, [&target, flag, words](std::string const& text) { choose(flag, text, target, words); }, what)
        ->type_name(type)
        ->needs(input);
  };
  word("--format", o.format, "FORMAT", "ndjson or csv; by default the file's name decides",
       std::map<std::string, options::input_format>{{"ndjson", options::input_format::ndjson}, {"csv", options::input_format::csv}})
      ->group("Input");
  app.add_flag("--follow", o.follow, "At the end of the file wait for more instead of finishing")->needs(input)->group("Input");
  app.add_option("--speed", o.speed, "Event time per wall time: 1 is as it happened, 60 a minute per second, 0 as fast as possible")
      ->check(not_negative)
      ->check(
          [](std::string const& text) { return text.find_first_of("nN") == std::string::npos ? "" : "Value " + text + " is not a factor"; })
      ->capture_default_str()
      ->type_name("FACTOR")
      ->group("Input");
  app.add_option_function<std::vector<std::string>>(
         "--on-broken-line",
         [&o](std::vector<std::string> const& words) {
           bool const dead_letter = words[0] == "dead-letter" && words.size() == 2 && !words[1].empty();
           if (!dead_letter && (words[0] != "fail" || words.size() != 1))
             throw CLI::ValidationError("--on-broken-line", "give either fail, or dead-letter and a file");
           o.dead_letters = dead_letter ? words[1] : "";
         },
         "A line that is not a tick: fail ends the run, dead-letter FILE puts it there and goes on")
      ->expected(1, 2)
      ->type_name("POLICY [FILE]")
      ->default_str("fail")
      ->needs(input)
      ->group("Input");

  auto const field = [&](char const* name, std::string& target, char const* what) {
    app.add_option(name, target, what)->capture_default_str()->type_name("NAME")->needs(input)->group("Fields of the input");
  };
  field("--field-symbol", o.fields.symbol, "Field with the symbol: text, up to 23 bytes");
  field("--field-price", o.fields.price, "Field with the price: a decimal number above zero, as number or text");
  field("--field-size", o.fields.size, "Field with the size: a decimal number, zero or more");
  field("--field-trade-id", o.fields.trade_id, "Field with the trade id: a whole number; \"\" where there is none");
  field("--field-time", o.fields.time, "Field with the event time");
  word("--time-unit", o.fields.unit, "UNIT", "How the time is written: s, ms, us, ns since the epoch, or rfc3339",
       std::map<std::string, time_unit>{{"s", time_unit::seconds},
                                        {"ms", time_unit::milliseconds},
                                        {"us", time_unit::microseconds},
                                        {"ns", time_unit::nanoseconds},
                                        {"rfc3339", time_unit::rfc3339}})
      ->default_str("ms")
      ->group("Fields of the input");

  auto const made = [&](char const* name, auto& target, char const* what) {
    return app.add_option(name, target, what)->capture_default_str()->type_name("N")->excludes(input)->group("Built-in market");
  };
  made("--symbols", o.made.symbols, "Number of symbols")->check(CLI::Range(1U, 100'000U));
  made("--rate", o.made.rate, "Ticks per second of event time")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  made("--seed", o.made.seed, "Another seed, another market")->check(not_negative);
  made("--count", o.count, "Ticks to make, those of earlier runs included; 0: no end")->check(not_negative);
}

void add_output(CLI::App& app, options& o) {
  app.add_option("-o,--bars", o.bars, "SQLite file for the bars")->capture_default_str()->type_name("FILE")->group("Output");
  app.add_option("--checkpoint", o.checkpoint, "SQLite file for the progress; by default beside the bars, with .checkpoint behind the name")
      ->type_name("FILE")
      ->group("Output");
  app.add_option("--events", o.events, "Write a line of JSON for each bar that closes: to a file, or - for standard output")
      ->type_name("FILE")
      ->group("Output");
  app.add_option_function<std::string>(
         "-w,--window",
         [&o](std::string const& text) {
           auto const length = parse_duration(text);
           if (!length) throw CLI::ValidationError("--window", "'" + text + "' is not a duration such as 1m, 1s, 5m, 1h");
           o.window = *length;
         },
         "Length of a bar: 1s, 1m, 5m, 1h, ...")
      ->default_str("1m")
      ->type_name("DURATION")
      ->group("Output");
  app.add_option("--batch", o.batch, "Ticks folded and committed together, at most")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str()
      ->type_name("N")
      ->group("Output");
  app.add_option("--show", o.show, "Bars in the table at the end; 0: no table")
      ->check(CLI::Range(0U, 1'000'000U))
      ->capture_default_str()
      ->type_name("N")
      ->group("Output");
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "ticks");
  app.footer(footer);
  app.set_version_flag("--version", "ticks (Weir) 0.1.0", "Print the version");
  app.formatter(std::make_shared<plain_formatter>());
  app.get_formatter()->column_width(30);
  add_input(app, o);
  add_output(app, o);
  auto* const demo = app.add_subcommand("demo", "Six ticks in windows of three, the fifth failing once: what redelivery does to a bar");
  demo->add_flag("--naive", o.naive, "Fold with a plain += instead: the redelivered ticks count twice");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& failure) {
    explain(app, failure, exit_code);
    return std::nullopt;
  }
  if (demo->parsed()) o.what = options::task::demo;
  return o;
}

}  // namespace ticks
