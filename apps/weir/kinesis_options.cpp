#include "kinesis_options.hpp"

#include <command_line/parse.hpp>
#include <command_line/store_option.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace kinesis_tool {
namespace {

constexpr char const* about = "Puts records into a stream of Kinesis, shows what comes, who works on it, and how far behind";
constexpr char const* footer =
    "Region, endpoint and credentials are looked for as AWS' own tools do: AWS_REGION, AWS_ENDPOINT_URL_KINESIS (of leases\n"
    "AWS_ENDPOINT_URL_DYNAMODB), AWS_PROFILE, AWS_ACCESS_KEY_ID, ~/.aws, the container, the machine.\n\n"
    "Exit codes: 0 fine; 1 failed, the reason is on standard error; 2 the command line is wrong.";
// KPL's own size.
constexpr std::size_t usual_aggregate = 51'200;

using shared_options = std::shared_ptr<options>;

class command_adder {
public:
  command_adder(CLI::App& kinesis, shared_options o, std::optional<options>& to) : kinesis_(kinesis), o_(std::move(o)), to_(to) {}

  CLI::App& add(char const* name, options::task what, char const* help, char const* of, char const* of_help) {
    auto& command = *kinesis_.add_subcommand(name, help);
    command.footer(footer);
    command.add_option(of, o_->where.stream, of_help)->type_name("")->required()->check([](std::string const& text) {
      return std::string(text.empty() ? "the name is empty" : "");
    });
    command_line::add_endpoint(command, o_->where.endpoint, o_->where.region, "Options");
    command.callback([o = o_, what, &to = to_] {
      o->what = what;
      to = *o;
    });
    return command;
  }

private:
  CLI::App& kinesis_;
  shared_options o_;
  std::optional<options>& to_;
};

constexpr char const* stream_help = "Name or ARN of the stream";
constexpr char const* json_help = "One object of JSON a line, for programs";

void add_put(command_adder& commands, options& o) {
  auto& put = commands.add("put", options::task::put, "Puts each line of a file, or of standard input, as a record", "STREAM", stream_help);
  put.add_option("FILE", o.file, "Whose lines, gzip or not; -: standard input, as it comes")->type_name("")->capture_default_str();
  auto const choose = [&o](state_tool::key_choice how) {
    return [&o, how](std::string const& text) {
      o.keys = how;
      o.key = text;
    };
  };
  auto const not_empty = [](std::string const& text) { return std::string(text.empty() ? "it is empty" : ""); };
  auto* const field = put.add_option_function<std::string>("--key-field", choose(state_tool::key_choice::field),
                                                           "The partition key is this field of the line, which is an object of JSON; "
                                                           "without a key option it is drawn at random, which spreads records evenly")
                          ->type_name("NAME")
                          ->check(not_empty);
  put.add_option_function<std::string>("--key", choose(state_tool::key_choice::fixed),
                                       "The partition key of all, 1 to 256 characters: one shard")
      ->type_name("TEXT")
      ->check(not_empty)
      ->excludes(field);
  put.add_flag_callback(
      "--any-order", [&o] { o.in_order = false; },
      "Records of a key may overtake each other where the stream refuses some for a while; faster where keys are few");
  put.add_option("--aggregate", o.aggregate_bytes,
                 "Put lines of one key together into records of about so many bytes, as the KPL does, which consumers have to take apart; "
                 "without BYTES, so many")
      ->type_name("BYTES")
      ->expected(0, 1)
      ->check(CLI::Range(1U, 1'000'000U))
      ->default_str(std::to_string(usual_aggregate));
}

void add_tail(command_adder& commands, options& o) {
  auto& tail = commands.add("tail", options::task::tail, "Shows the records of all shards as they come", "STREAM", stream_help);
  command_line::add_reading_start(tail, "--since", o.start,
                                  "Where to begin: latest, trim_horizon, a time of arrival such as 2024-08-08T23:54:15Z, or how long ago, "
                                  "such as 10m");
  tail.add_option("--shard", o.shards, "This shard alone; may be given again")->type_name("ID")->take_all();
  tail.add_option("-n", o.most, "Stop after so many records")->type_name("N")->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0}));
  tail.add_flag("--json", o.json, json_help);
}

void add_lag(command_adder& commands, options& o) {
  auto& lag = commands.add("lag", options::task::lag,
                           "How far behind each shard is read, by checkpoints or leases: the newest record is BEHIND ahead of the "
                           "next one to be read, which has been WAITING since it arrived",
                           "STREAM", stream_help);
  auto* const store = command_line::add_store(lag, "--checkpoints",
                                              "Where pipelines keep their checkpoints, as for weir state; without, and without "
                                              "--leases: how far the oldest record is behind",
                                              [&o](command_line::store_name s) { o.checkpoints = std::move(s); });
  lag.add_option_function<std::string>(
         "--pipeline", [&o](std::string const& text) { o.pipeline = text; }, "Checkpoints of this pipeline")
      ->type_name("NAME")
      ->needs(store);
  lag.add_option("--leases", o.lease_table, "A lease table in place of that, of KCL or Weir")->type_name("TABLE")->excludes(store);
  lag.add_option("--shard", o.shards, "This shard alone; may be given again")->type_name("ID")->take_all();
  lag.add_flag("--json", o.json, json_help);
}

}  // namespace

void add_kinesis(CLI::App& app, std::optional<options>& to) {
  auto const o = std::make_shared<options>();  // lives as long as what refers to it
  auto& kinesis = *app.add_subcommand("kinesis", about);
  kinesis.footer(footer);
  kinesis.require_subcommand(1);
  command_adder commands(kinesis, o, to);
  add_put(commands, *o);
  add_tail(commands, *o);
  auto& leases = commands.add("leases", options::task::leases, "Which worker has which shard, and how far it is: the rows of a lease table",
                              "TABLE", "Name of the table in DynamoDB: KCL's application name");
  leases.add_flag("--json", o->json, json_help);
  add_lag(commands, *o);
}

}  // namespace kinesis_tool
