#include "hub_options.hpp"

#include <command_line/parse.hpp>
#include <command_line/store_option.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace hub_tool {
namespace {

constexpr char const* about = "Shows an event hub: its partitions, what comes, how far behind it is read, and by whom; and sends to it";
constexpr char const* footer =
    "The connection string is the portal's, of the namespace or the event hub, or that of the emulator\n"
    "(UseDevelopmentEmulator=true). In EVENTHUB_CONNECTION_STRING, other users of the machine do not see it; that of a storage\n"
    "account likewise in AZURE_STORAGE_CONNECTION_STRING.\n\n"
    "Exit codes: 0 fine; 1 failed, the reason is on standard error; 2 the command line is wrong.";
constexpr char const* json_help = "One object of JSON a line, for programs";

std::string not_empty(std::string const& text) { return text.empty() ? "it is empty" : ""; }

class command_adder {
public:
  command_adder(CLI::App& hubs, std::shared_ptr<options> o, std::optional<options>& to) : hubs_(hubs), o_(std::move(o)), to_(to) {}

  CLI::App& add(char const* name, options::task what, char const* help) {
    auto& command = *hubs_.add_subcommand(name, help);
    command.footer(footer);
    command.add_option("HUB", o_->hub, "Name of the event hub")->type_name("")->required()->check(not_empty);
    command.add_option("--connection-string", o_->connection_string, "How the namespace is reached, and the key")
        ->type_name("TEXT")
        ->envname("EVENTHUB_CONNECTION_STRING")
        ->required()
        ->check(not_empty);
    command
        .add_option("--endpoint", o_->endpoint,
                    "Where to connect in place of the namespace's host: a private endpoint, a gateway, an emulator (tcp:// and ws:// are "
                    "without TLS)")
        ->type_name("URL");
    if (what != options::task::send) command.add_flag("--json", o_->json, json_help);
    command.callback([o = o_, what, &to = to_] {
      o->what = what;
      to = *o;
    });
    return command;
  }

private:
  CLI::App& hubs_;
  std::shared_ptr<options> o_;
  std::optional<options>& to_;
};

void add_group(CLI::App& command, options& o) {
  command.add_option("--group", o.group, "The consumer group")->type_name("NAME")->capture_default_str()->check(not_empty);
}
void add_chosen(CLI::App& command, options& o) {
  command.add_option("--partition", o.partitions, "This partition alone; may be given again")->type_name("ID")->take_all();
}
// The group's blobs, of Weir or the official clients.
CLI::Option* add_blobs(CLI::App& command, options& o, char const* help) {
  auto* const container = command.add_option("--container", o.container, help)->type_name("NAME")->check(not_empty);
  auto* const storage = command.add_option("--storage", o.storage, "The connection string of the container's storage account")
                            ->type_name("TEXT")
                            ->envname("AZURE_STORAGE_CONNECTION_STRING")
                            ->check(not_empty);
  container->needs(storage);
  return container;
}

void add_send(command_adder& commands, options& o) {
  auto& send = commands.add("send", options::task::send, "Sends each line of a file, or of standard input, as an event");
  send.add_option("FILE", o.file, "Whose lines, gzip or not; -: standard input, as it comes")->type_name("")->capture_default_str();
  auto const choose = [&o](state_tool::key_choice how) {
    return [&o, how](std::string const& text) {
      o.keys = how;
      o.key = text;
    };
  };
  auto* const field = send.add_option_function<std::string>("--key-field", choose(state_tool::key_choice::field),
                                                            "The partition key is this field of the line, which is an object of JSON; "
                                                            "without a key and a partition the service spreads events as it likes")
                          ->type_name("NAME")
                          ->check(not_empty);
  auto* const key = send.add_option_function<std::string>("--key", choose(state_tool::key_choice::fixed),
                                                          "The partition key of all, 1 to 128 characters: one partition")
                        ->type_name("TEXT")
                        ->check(not_empty)
                        ->excludes(field);
  send.add_option_function<std::string>(
          "--partition", [&o](std::string const& id) { o.partitions = {id}; }, "To this partition")
      ->type_name("ID")
      ->check(not_empty)
      ->excludes(field)
      ->excludes(key);
}

void add_tail(command_adder& commands, options& o) {
  auto& tail = commands.add("tail", options::task::tail, "Shows the events of all partitions as they come");
  command_line::add_reading_start(tail, "--since", o.start,
                                  "Where to begin: latest, earliest, a time of arrival such as 2024-08-08T23:54:15Z, or how long ago, such "
                                  "as 10m",
                                  "earliest");
  add_chosen(tail, o);
  tail.add_option("-n", o.most, "Stop after so many events")->type_name("N")->check(CLI::Range(std::uint64_t{1}, ~std::uint64_t{0}));
  add_group(tail, o);
}

void add_lag(command_adder& commands, options& o) {
  auto& lag = commands.add("lag", options::task::lag,
                           "How many events each partition is BEHIND by checkpoints, and how long the next one has been WAITING since it "
                           "arrived");
  auto* const store = command_line::add_store(lag, "--checkpoints",
                                              "Where pipelines keep their checkpoints, as for weir state; without, and without "
                                              "--container: what is kept",
                                              [&o](command_line::store_name s) { o.checkpoints = std::move(s); });
  lag.add_option_function<std::string>(
         "--pipeline", [&o](std::string const& text) { o.pipeline = text; }, "Checkpoints of this pipeline")
      ->type_name("NAME")
      ->needs(store);
  add_blobs(lag, o, "A container with the checkpoints of the group in place of that, of Weir or the official clients")->excludes(store);
  add_chosen(lag, o);
  add_group(lag, o);
}

}  // namespace

void add_eventhubs(CLI::App& app, std::optional<options>& to) {
  auto const o = std::make_shared<options>();  // lives as long as what refers to it
  auto& hubs = *app.add_subcommand("eventhubs", about);
  hubs.footer(footer);
  hubs.require_subcommand(1);
  command_adder commands(hubs, o, to);
  auto& partitions = commands.add("partitions", options::task::partitions, "Shows which events are kept in each partition");
  add_chosen(partitions, *o);
  add_send(commands, *o);
  add_tail(commands, *o);
  add_lag(commands, *o);
  auto& ownership = commands.add("ownership", options::task::ownership,
                                 "Who works on which partition of a consumer group, and how far it is: the blobs of a container");
  add_blobs(ownership, *o, "The container that the group's consumers share")->required();
  add_group(ownership, *o);
}

}  // namespace hub_tool
