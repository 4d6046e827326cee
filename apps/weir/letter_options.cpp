#include "letter_options.hpp"

#include <command_line/parse.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace letter_tool {
namespace {

constexpr char const* about = "Looks at the records which pipelines have given up, and writes them out again";
constexpr char const* footer =
    "FILE is the checkpoint file of SQLite in which a pipeline keeps its dead letters, or a file of dead letters as lines of JSON.\n\n"
    "Exit codes: 0 fine; 1 failed, or not all could be replayed; 2 the command line is wrong.";

void add_selection(CLI::App& command, state_tool::selection& which) {
  auto const add = [&](char const* flag, std::optional<std::string>& to, char const* help) {
    command.add_option_function<std::string>(flag, [&to](std::string const& text) { to = text; }, help)->type_name("NAME");
  };
  add("--pipeline", which.pipeline, "Letters of this pipeline alone");
  add("--stream", which.stream, "... of this stream");
  add("--partition", which.partition, "... of this partition");
}

}  // namespace

void add_dead_letters(CLI::App& app, std::optional<options>& to) {
  auto const o = std::make_shared<options>();  // lives as long as what refers to it
  auto& letters = *app.add_subcommand("dead-letters", about);
  letters.footer(footer);
  letters.require_subcommand(1);
  auto const add = [&, o](char const* name, options::task what, char const* help) -> CLI::App& {
    auto* const command = letters.add_subcommand(name, help);
    command->footer(footer);
    command->add_option("FILE", o->place, "Where the letters are")->type_name("")->required();
    command->callback([o, what, &to] {
      o->what = what;
      to = *o;
    });
    return *command;
  };
  char const* const json = "One object of JSON a line, for programs";
  auto& list = add("list", options::task::list, "Which records were given up, when and why");
  add_selection(list, o->which);
  list.add_flag("--json", o->json, json);
  auto& show = add("show", options::task::show, "All there is of one letter, its payload included");
  show.add_option("ID", o->ids, "As list shows it")->type_name("")->required()->expected(1)->check(command_line::not_negative);
  show.add_flag("--json", o->json, json);
  auto& replay = add("replay", options::task::replay,
                     "Writes payloads out as lines, oldest first, for a pipeline to read; notes in a file of SQLite that it did");
  replay.add_option("ID", o->ids, "These alone")->type_name("")->check(command_line::not_negative);
  add_selection(replay, o->which);
  replay.add_option("--to", o->to, "Add the lines at the end of this file; -: standard output")->type_name("FILE")->capture_default_str();
  replay.add_flag("--again", o->again, "Also those that were replayed before");
}

}  // namespace letter_tool
