#include "options.hpp"

#include <command_line/parse.hpp>
#include <command_line/store_option.hpp>
#include <command_line/stream_options.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ticks {
namespace {

constexpr char const* about =
    "Turns market-data ticks into bars (open, high, low, close, volume, number of trades) per symbol and minute.\n\n"
    "Windows are in event time: a bar closes when the newest tick is --bound behind its end, or when the data ends, and is stored then.\n"
    "Bars are exact decimals in the table bars of a SQLite file or a PostgreSQL database. A run that was stopped or killed goes on where "
    "it was:\n"
    "every tick is in its bar exactly once. The ticks come from a file (--input), from a stream of Kinesis (--source kinesis), from an "
    "event\n"
    "hub of Azure (--source eventhubs), or else from a built-in market that is the same on every machine.";

constexpr char const* footer =
    "Examples:\n"
    "  ticks                                            a million ticks of the built-in market\n"
    "  ticks --input trades.ndjson.gz                   one-minute bars of a file, into ticks.bars.sqlite\n"
    "  ticks --input trades.csv --field-size qty --time-unit rfc3339 --window 5m --bars day.sqlite\n"
    "  ticks --input live.ndjson --follow --events -    closed bars as messages, as they close\n"
    "  ticks --source kinesis --stream ticks            bars of a stream, shard by shard; until it is stopped\n"
    "  ticks --source kinesis --stream ticks --leases t --bars postgres:'host=db dbname=bars'   ... shared with runs like it\n"
    "  ticks --source eventhubs --hub ticks             bars of an event hub; EVENTHUB_CONNECTION_STRING says how it is reached\n"
    "  ticks --speed 60 --count 0                       a market without end, a minute of it per second\n"
    "  ticks demo; ticks demo --naive                   why folding must be idempotent\n"
    "  sqlite3 ticks.bars.sqlite 'SELECT * FROM bars'   the result\n"
    "  ticks --bars postgres:'host=db dbname=bars'      bars and progress in PostgreSQL; passwords by PGPASSWORD or ~/.pgpass\n\n"
    "Exit codes: 0 done, or stopped by SIGTERM; 130 stopped by Ctrl-C; both after finishing and saving what was under way: run the same\n"
    "command again to go on. 1 failed, the reason is on standard error; 2 the command line is wrong.";

// Options that make sense for some sources only, which is known when all have been read.
class source_rules {
public:
  source_rules(CLI::App& app, options& o) : o_(o) {
    auto const choose = [this](std::string const& word) {
      if (word == "kinesis") chosen_ = source::kinesis;
      else if (word == "eventhubs") chosen_ = source::eventhubs;
      else if (word == "file") chosen_ = source::file;
      else if (word == "market") chosen_ = source::market;
      else throw CLI::ValidationError("--source", "'" + word + "' is none of file, kinesis, eventhubs, market");
    };
    app.add_option_function<std::string>("--source", choose,
                                         "market, file, kinesis or eventhubs; by default file with --input, else market")
        ->type_name("SOURCE")
        ->group("Input");
  }
  void of_file(CLI::Option* option) { file_.push_back(option); }
  void of_kinesis(CLI::Option* option) { kinesis_.push_back(option); }
  void of_hub(CLI::Option* option) { hub_.push_back(option); }
  void of_market(CLI::Option* option) { market_.push_back(option); }

  // Says what the source is, and refuses what does not go with it.
  void apply() const {
    o_.from = chosen_.value_or(o_.input.empty() ? source::market : source::file);
    refuse(file_, "a file (--input)", source::file);
    refuse(kinesis_, "--source kinesis", source::kinesis);
    refuse(hub_, "--source eventhubs", source::eventhubs);
    refuse(market_, "the built-in market", source::market);
    if (o_.from == source::file && o_.input.empty()) throw CLI::ValidationError("--source file", "which one is said by --input FILE");
    if (o_.from == source::kinesis && o_.kinesis.stream.empty())
      throw CLI::ValidationError("--source kinesis", "which stream is said by --stream NAME");
    if (o_.from == source::eventhubs && o_.hub.connection_string.empty()) {
      throw CLI::ValidationError("--source eventhubs",
                                 "how it is reached is said by --connection-string TEXT, or the variable "
                                 "EVENTHUB_CONNECTION_STRING");
    }
    bool const comes = o_.from == source::kinesis || o_.from == source::eventhubs;
    if (comes && o_.speed != 0) throw CLI::ValidationError("--speed", "a stream comes as fast as it does");
    check_sharing();
  }

private:
  using source = options::source;
  using list = std::vector<CLI::Option*>;
  // A commit that comes too late, of a run that has lost its lease, is refused with the bars in it, where all have one database.
  void check_sharing() const {
    if (o_.leases.empty()) return;
    if (o_.bars.kind != command_line::store_kind::postgres)
      throw CLI::ValidationError("--leases", "runs that share a stream share their bars: give all of them --bars postgres:CONNINFO");
    if (o_.checkpoints() != o_.bars)
      throw CLI::ValidationError("--leases", "runs that share a stream keep progress with the bars: leave out --checkpoint");
  }
  list const& chosen() const {
    switch (o_.from) {
      case source::file: return file_;
      case source::kinesis: return kinesis_;
      case source::eventhubs: return hub_;
      case source::market: break;
    }
    return market_;
  }
  // What was given of these, and does not go with the source there is, too.
  void refuse(list const& all, std::string const& of, source where) const {
    if (o_.from == where) return;
    for (CLI::Option* const option : all) {
      bool const goes = std::find(chosen().begin(), chosen().end(), option) != chosen().end();
      if (option->count() != 0 && !goes) throw CLI::ValidationError(option->get_name(), "it is for " + of + " only");
    }
  }

  options& o_;
  std::optional<source> chosen_;
  list file_, kinesis_, hub_, market_;
};

void add_input(CLI::App& app, options& o, source_rules& rules) {
  auto* const input = command_line::add_input(app, o.input, "File of ticks: NDJSON or CSV with a header line, either may be gzip (.gz)");
  command_line::add_word(app, "--format", o.format, "ndjson or csv; by default the file's name decides",
                         {{"ndjson", options::input_format::ndjson}, {"csv", options::input_format::csv}})
      ->type_name("FORMAT")
      ->needs(input)
      ->group("Input");
  rules.of_file(input);
  app.add_flag("--follow", o.follow, "At the end of the file wait for more instead of finishing")->needs(input)->group("Input");
  app.add_option("--speed", o.speed, "Event time per wall time: 1 is as it happened, 60 a minute per second, 0 as fast as possible")
      ->check(command_line::not_negative)
      ->check(command_line::finite)
      ->capture_default_str()
      ->type_name("FACTOR")
      ->group("Input");
  auto* const broken = command_line::add_broken_lines(app, o.dead_letters, "a tick");
  rules.of_file(broken);
  rules.of_kinesis(broken);
  rules.of_hub(broken);

  auto const field = [&](char const* name, std::string& target, char const* what) {
    auto* const added = app.add_option(name, target, what)->capture_default_str()->type_name("NAME")->group("Fields of the input");
    rules.of_file(added);
    rules.of_kinesis(added);
    rules.of_hub(added);
  };
  field("--field-symbol", o.fields.symbol, "Field with the symbol: text, up to 23 bytes");
  field("--field-price", o.fields.price, "Field with the price: a decimal number above zero, as number or text");
  field("--field-size", o.fields.size, "Field with the size: a decimal number, zero or more");
  field("--field-trade-id", o.fields.trade_id, "Field with the trade id: a whole number; \"\" where there is none");
  field("--field-time", o.fields.time, "Field with the event time");
  using command_line::time_unit;
  auto* const unit =
      command_line::add_word(app, "--time-unit", o.fields.unit, "How the time is written: s, ms, us, ns since the epoch, or rfc3339",
                             {{"s", time_unit::seconds},
                              {"ms", time_unit::milliseconds},
                              {"us", time_unit::microseconds},
                              {"ns", time_unit::nanoseconds},
                              {"rfc3339", time_unit::rfc3339}})
          ->default_str("ms")
          ->type_name("UNIT")
          ->group("Fields of the input");
  rules.of_file(unit);
  rules.of_kinesis(unit);
  rules.of_hub(unit);
}

void add_kinesis(CLI::App& app, options& o, source_rules& rules) {
  constexpr auto group = "Kinesis";
  rules.of_kinesis(
      app.add_option("--stream", o.kinesis.stream, "Name or ARN of the stream, whose records are a tick each, as a line of NDJSON")
          ->type_name("NAME")
          ->group(group));
  command_line::add_endpoint(app, o.kinesis.endpoint, o.kinesis.region, group);
  for (char const* const name : {"--endpoint", "--region"}) rules.of_kinesis(app.get_option(name));
  auto* const start =
      command_line::add_reading_start(app, "--start", o.start,
                                      "Where shards or partitions begin that have no checkpoint: trim_horizon or earliest, "
                                      "latest, a time of arrival such as 2024-08-08T23:54:15Z, or how long ago, such as 10m")
          ->group(group);
  rules.of_kinesis(start);
  rules.of_hub(start);
  auto* const leases =
      app.add_option(
             "--leases", o.leases,
             "Share the stream's shards with other runs of this command, by leases in this table of DynamoDB, as KCL keeps them; made "
             "where there is none. Each takes its share, and that of one that dies. Bars and progress have to be in PostgreSQL, and "
             "the partition key of each record its symbol")
          ->type_name("TABLE")
          ->check([](std::string const& text) { return std::string(text.empty() ? "the name of the table is empty" : ""); })
          ->group(group);
  rules.of_kinesis(leases);
  rules.of_kinesis(command_line::add_duration(
                       app, "--failover", o.failover,
                       "How long a run may give no sign of life until others take over what it reads; the same for all", 100'000'000)
                       ->needs(leases)
                       ->group(group));
}

void add_hub(CLI::App& app, options& o, source_rules& rules) {
  auto const text = [&](char const* name, std::string& target, char const* type, char const* what) {
    auto* const added = app.add_option(name, target, what)->type_name(type)->group("Event Hubs");
    rules.of_hub(added);
    return added;
  };
  text("--hub", o.hub.name, "NAME", "The event hub, whose events are a tick each, as a line of NDJSON; or the connection string says it");
  app.add_option("--connection-string", o.hub.connection_string, "How the namespace is reached, and the key, as the portal shows it")
      ->type_name("TEXT")
      ->envname("EVENTHUB_CONNECTION_STRING")
      ->group("Event Hubs");
  text("--hub-endpoint", o.hub.endpoint, "URL", "Where to connect in place of the namespace's host: a private endpoint, a gateway");
  text("--group", o.hub.group, "NAME", "The consumer group")->capture_default_str();
}

void add_market(CLI::App& app, options& o, source_rules& rules) {
  auto const made = [&](char const* name, auto& target, char const* what) {
    auto* const added = app.add_option(name, target, what)->capture_default_str()->type_name("N")->group("Built-in market");
    rules.of_market(added);
    return added;
  };
  made("--symbols", o.made.symbols, "Number of symbols")->check(CLI::Range(1U, 100'000U));
  made("--rate", o.made.rate, "Ticks per second of event time")->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  made("--seed", o.made.seed, "Another seed, another market")->check(command_line::not_negative);
  made("--count", o.count, "Ticks to make, those of earlier runs included; 0: no end")->check(command_line::not_negative);
}

void add_output(CLI::App& app, options& o) {
  auto const to_bars = [&o](command_line::store_name name) { o.bars = std::move(name); };
  command_line::add_store(app, "-o,--bars", "SQLite file for the bars, or postgres:CONNINFO", to_bars)
      ->default_str(o.bars.place)
      ->group("Output");
  auto const to_checkpoint = [&o](command_line::store_name name) { o.checkpoint = std::move(name); };
  command_line::add_store(
      app, "--checkpoint",
      "The same for the progress, or dynamodb:TABLE. By default it is with the bars, in one transaction: each is written exactly once; "
      "elsewhere, one may be written again after a crash, as it was",
      to_checkpoint)
      ->group("Output");
  app.add_option(
         "--events", o.events,
         "Tell of each bar that closes by the topic bar:closed: a message is a line of JSON in a file, or - for standard output. After "
         "a crash one may come again, with the same identity")
      ->type_name("FILE")
      ->group("Output");
  command_line::add_duration(app, "-w,--window", o.window, "Length of a bar: 1s, 1m, 5m, 1h, ...", 1'000'000)->group("Output");
  app.add_option("--late", o.late, "Write a line of JSON for each tick whose bar had closed: to a file, or - for standard output")
      ->type_name("FILE")
      ->group("Output");
  command_line::add_duration(app, "--bound", o.bound, "How far behind the newest tick others may be; what is further behind may be late", 0)
      ->group("Output");
  command_line::add_duration(
      app, "--dedup", o.dedup,
      "Two ticks of a symbol with one trade id and times no further apart are one; 0s: all are different. Ids of up to "
      "twice that time are part of every checkpoint",
      0)
      ->group("Output");
  command_line::add_duration(app, "--early", o.early, "Store bars that are still open as well, this often in event time; 0s: never", 0)
      ->group("Output");
  app.add_option("--batch", o.batch, "Ticks between two checkpoints, at most")
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

void add_status(CLI::App& app, options& o) {
  auto const choose = [&o](std::string const& word) {
    if (word == "off" || word == "on") {
      o.watched = word == "on" ? options::watching::on : options::watching::off;
      return;
    }
    std::uint16_t port = 0;
    auto const [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), port);
    if (wrong != std::errc{} || end != word.data() + word.size())
      throw CLI::ValidationError("--status", "'" + word + "' is neither on, off, nor a port");
    o.watched = options::watching::on;
    o.status_port = port;
  };
  app.add_option_function<std::string>(
         "--status", choose,
         "Show the run in a browser while it lasts, its candles and its pipeline: on, off, or at this port of "
         "this machine (0: any); by default on where standard error is a terminal")
      ->type_name("PORT")
      ->group("Output");
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "ticks");
  command_line::prepare(app, footer);
  source_rules rules(app, o);
  add_input(app, o, rules);
  add_kinesis(app, o, rules);
  add_hub(app, o, rules);
  add_market(app, o, rules);
  add_output(app, o);
  add_status(app, o);
  app.callback([&rules] { rules.apply(); });
  auto* const demo = app.add_subcommand("demo", "Six ticks in windows of three, the fifth failing once: what redelivery does to a bar");
  demo->add_flag("--naive", o.naive, "Fold with a plain += instead: the redelivered ticks count twice");
  if (!command_line::parse(app, argc, argv, exit_code)) return std::nullopt;
  if (demo->parsed()) o.what = options::task::demo;
  return o;
}

}  // namespace ticks
