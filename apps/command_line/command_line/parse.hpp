#pragma once

#include <CLI/CLI.hpp>

#include <map>
#include <string>

namespace command_line {

/// Gives the command line of a program its look: help that names of each option what it takes, what it means and what it is by default,
/// with `footer` below (examples, exit codes), and `--version`. The program's name is that of `app`.
void prepare(CLI::App& app, std::string footer);

/// Reads the command line into what was added to `app`. False when there is nothing to run: then `exit_code` is 0 after `--help` and
/// `--version` (printed), or 2 after a mistake, which is explained in one line on standard error.
bool parse(CLI::App& app, int argc, char const* const* argv, int& exit_code);

/// A check for options: CLI11 reads "-5" into an unsigned number as 2^64 - 5. Empty, or what is wrong.
std::string not_negative(std::string const& text);
/// A check for options: CLI11 reads "nan" and "inf" as numbers too, and a range lets nan pass. Empty, or what is wrong.
std::string finite(std::string const& text);

/// Adds an option that takes exactly one of a few words.
template <class Value>
CLI::Option* add_word(CLI::App& app, std::string const& flag, Value& target, std::string const& what,
                      std::map<std::string, Value> const& words) {
  auto const choose = [&target, flag, words](std::string const& text) {
    auto const place = words.find(text);
    if (place == words.end()) {
      std::string list;
      for (auto const& [word, value] : words) list += (list.empty() ? "" : ", ") + word;
      throw CLI::ValidationError(flag, "'" + text + "' is none of " + list);
    }
    target = place->second;
  };
  return app.add_option_function<std::string>(flag, choose, what);
}

}  // namespace command_line
