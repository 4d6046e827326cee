#pragma once

#include "hub_options.hpp"
#include "kinesis_options.hpp"
#include "lambda_options.hpp"
#include "letter_options.hpp"
#include "opened_store.hpp"
#include "selection.hpp"
#include <command_line/store_name.hpp>

#include <weir/instant.hpp>
#include <weir/position.hpp>

#include <optional>
#include <string>
#include <vector>

namespace state_tool {

/// What the command line asks for, of `weir state` unless `letters`, `kinesis`, `eventhubs` or `lambda` is there.
struct options {
  enum class task { list, dump, verify, diff, rewind, erase };
  task what = task::list;

  command_line::store_name store;
  std::optional<command_line::store_name> other;  ///< of diff
  store_options inside;
  selection which;
  bool json = false;
  bool schemas = false;  ///< of list: those of the operators

  std::optional<std::string> operator_id;  ///< of dump: none but its entries
  std::vector<std::string> keys;           ///< of dump: none but those; empty: all
  bool values = false;                     ///< of dump

  std::optional<std::string> other_partition;  ///< of diff: to compare with

  weir::position to;                     ///< of rewind
  std::optional<weir::instant> to_time;  ///< of rewind, in place of it
  bool drop_state = false;               ///< of rewind
  bool yes = false;                      ///< nobody is asked

  std::optional<letter_tool::options> letters;   ///< of `weir dead-letters`
  std::optional<kinesis_tool::options> kinesis;  ///< of `weir kinesis`
  std::optional<hub_tool::options> eventhubs;    ///< of `weir eventhubs`
  std::optional<lambda_tool::options> lambda;    ///< of `weir lambda`
};

/// Reads the command line. Null when there is nothing to run: then `exit_code` is 0 after `--help` and `--version` (printed), or 2 after
/// a mistake, which is explained in one line on standard error. What could have a password in it is not shown.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace state_tool
