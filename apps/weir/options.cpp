#include "options.hpp"

#include "text.hpp"

#include <weir/rfc3339.hpp>

#include <command_line/parse.hpp>
#include <command_line/store_option.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace state_tool {
namespace {

using command_line::store_name;

constexpr char const* about = "Tools for pipelines that are built with Weir.";
constexpr char const* about_state = "Looks at the checkpoints of pipelines and their state, checks them, sets them back";

constexpr char const* stores =
    "STORE is one of\n"
    "  FILE, sqlite:FILE                     a file of SQLite\n"
    "  rocksdb:FOLDER                        a folder of RocksDB; no pipeline may have it open\n"
    "  postgres:CONNINFO, postgresql://...   as for psql: postgres:'host=db dbname=bars'; passwords by PGPASSWORD or ~/.pgpass\n"
    "  redis:HOST[:PORT], redis://...        as for redis-cli -u, or redis:unix:PATH; passwords by REDISCLI_AUTH\n"
    "  dynamodb:TABLE                        as for AWS' own tools: AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, profiles\n"
    "It must exist: nothing is made.\n\n"
    "Exit codes: 0 fine; 1 failed, or found what it looked for: damage, differences; 2 the command line is wrong.";

// CLI11 would print an argument that is too much, and it may be a connection string.
void refuse_extras(CLI::App const& app) {
  auto const extras = app.remaining(true);
  if (extras.empty()) return;
  for (auto const& word : extras)
    if (word.starts_with('-')) throw CLI::ValidationError("the option " + word.substr(0, word.find('=')) + " is not known");
  throw CLI::ValidationError("there are arguments too many");
}

CLI::App* add_command(CLI::App& state, options& o, std::string const& name, options::task what, std::string const& help) {
  auto* const command = state.add_subcommand(name, help);
  command->allow_extras();
  command->footer(stores);
  command->callback([&o, what, command] {
    refuse_extras(*command);
    o.what = what;
  });
  return command;
}

void add_text(CLI::App& command, std::string const& flag, std::optional<std::string>& to, std::string const& help) {
  command.add_option_function<std::string>(flag, [&to](std::string const& text) { to = text; }, help)->type_name("NAME");
}

void add_common(CLI::App& command, options& o, std::string const& of) {
  command_line::add_store(command, of, "What to look at", [&o](store_name s) { o.store = std::move(s); })->type_name("")->required();
  command.add_option("--schema", o.inside.schema, "The schema of a PostgreSQL store")->type_name("NAME")->capture_default_str();
  command.add_option("--space", o.inside.space, "The space of a Redis store")->type_name("NAME")->capture_default_str();
}

void add_selection(CLI::App& command, options& o) {
  add_text(command, "--pipeline", o.which.pipeline, "Checkpoints of this pipeline alone");
  add_text(command, "--stream", o.which.stream, "... of this stream");
  add_text(command, "--partition", o.which.partition, "... of this partition");
}

void add_json(CLI::App& command, options& o) { command.add_flag("--json", o.json, "One object of JSON a line, for programs"); }
void add_yes(CLI::App& command, options& o) { command.add_flag("--yes", o.yes, "Do not ask"); }

void read_position_or_time(std::string const& text, options& o) {
  if (auto const at = weir::position::parse(text)) {
    o.to = *at;
    return;
  }
  if (auto const when = weir::parse_rfc3339(text)) {
    o.to_time = *when;
    return;
  }
  throw CLI::ValidationError("--to", "'" + text +
                                         "' is neither a position such as 17, 17.0.3 or start, as list shows them, nor a time such as "
                                         "2024-08-08T23:54:15Z");
}

void add_list(CLI::App& state, options& o) {
  auto& list =
      *add_command(state, o, "list", options::task::list, "Which checkpoints there are: where they stand, how old and how large they are");
  add_common(list, o, "STORE");
  add_selection(list, o);
  list.add_flag("--schemas", o.schemas, "How operators lay out what they keep, in place of that; reads all of the state");
  add_json(list, o);
}

void add_dump(CLI::App& state, options& o) {
  auto& dump = *add_command(state, o, "dump", options::task::dump, "The entries of the state, by operator and key");
  add_common(dump, o, "STORE");
  auto const add_key = [&o](std::vector<std::string> const& words) {
    for (auto const& word : words) {
      auto key = parse_key(word);
      if (!key) throw CLI::ValidationError("KEY", "'" + word + "' begins with 0x and has no bytes in hexadecimal digits behind it");
      o.keys.push_back(*std::move(key));
    }
  };
  dump.add_option_function<std::vector<std::string>>("KEY", add_key, "These keys alone: text, or bytes as 0x and hexadecimal digits")
      ->type_name("");
  add_selection(dump, o);
  add_text(dump, "--operator", o.operator_id, "Entries of this operator alone");
  dump.add_flag("--values", o.values, "Show the values, in hexadecimal digits");
  add_json(dump, o);
}

void add_diff(CLI::App& state, options& o) {
  auto& diff = *add_command(state, o, "diff", options::task::diff, "What differs between two stores, or two partitions of one");
  add_common(diff, o, "A");
  auto* const other = command_line::add_store(diff, "B", "What to compare it with; without: another partition of A", [&o](store_name s) {
                        o.other = std::move(s);
                      })->type_name("");
  add_selection(diff, o);
  auto* const partition =
      diff.add_option_function<std::string>(
              "--with-partition", [&o](std::string const& text) { o.other_partition = text; }, "Compare --partition with this one")
          ->type_name("NAME");
  add_json(diff, o);
  diff.callback([&o, &diff, other, partition] {
    refuse_extras(diff);
    if (other->count() == 0 && partition->count() == 0) throw CLI::ValidationError("give a second store, or --with-partition");
    o.what = options::task::diff;
  });
}

void add_rewind(CLI::App& state, options& o) {
  auto& rewind = *add_command(state, o, "rewind", options::task::rewind, "Sets a checkpoint back, so that records behind it come again");
  add_common(rewind, o, "STORE");
  add_selection(rewind, o);
  rewind
      .add_option_function<std::string>(
          "--to", [&o](std::string const& text) { read_position_or_time(text, o); },
          "The position up to which everything stays done, as list shows it; start: none. Or a time: what was done by then stays done")
      ->type_name("POSITION|TIME")
      ->required();
  rewind.add_flag("--drop-state", o.drop_state, "Drop the state: that of an earlier position is not kept");
  add_yes(rewind, o);
}

}  // namespace

std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code) {
  options o;
  CLI::App app(about, "weir");
  command_line::prepare(app, "Example: weir state list bars.checkpoint");
  app.allow_extras();
  app.callback([&app] { refuse_extras(app); });
  auto& state = *app.add_subcommand("state", about_state);
  state.allow_extras();
  state.footer(stores);
  add_list(state, o);
  add_dump(state, o);
  auto& verify = *add_command(state, o, "verify", options::task::verify, "Reads everything, and says which checkpoints are damaged");
  add_common(verify, o, "STORE");
  add_selection(verify, o);
  add_json(verify, o);
  add_diff(state, o);
  add_rewind(state, o);
  auto& erase = *add_command(state, o, "erase", options::task::erase, "Forgets a checkpoint and its state, also a damaged one");
  add_common(erase, o, "STORE");
  add_selection(erase, o);
  add_yes(erase, o);
  state.require_subcommand(1);
  letter_tool::add_dead_letters(app, o.letters);
  kinesis_tool::add_kinesis(app, o.kinesis);
  hub_tool::add_eventhubs(app, o.eventhubs);
  int const words = lambda_tool::words_before_program(argc, argv);
  lambda_tool::add_lambda(app, o.lambda, std::vector<std::string>(argv + std::min(words + 1, argc), argv + argc));
  app.require_subcommand(1);
  if (!command_line::parse(app, words, argv, exit_code)) return std::nullopt;
  return o;
}

}  // namespace state_tool
