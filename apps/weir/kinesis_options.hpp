#pragma once

#include "line_keys.hpp"

#include <command_line/kinesis_place.hpp>
#include <command_line/store_name.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kinesis_tool {

/// What the command line asks for, of `weir kinesis`.
struct options {
  enum class task { put, tail, leases, lag };
  task what = task::tail;

  command_line::kinesis_place where;  ///< of leases: the table in place of the stream
  bool json = false;                  ///< of all but put

  std::string file = "-";  ///< of put: whose lines; "-" is standard input
  state_tool::key_choice keys = state_tool::key_choice::random;
  std::string key;                  ///< of `fixed` the key, of `field` the field's name
  bool in_order = true;             ///< records of one key
  std::size_t aggregate_bytes = 0;  ///< of put; 0: each line is a record

  command_line::reading_start start{command_line::reading_start::kind::latest, 0};  ///< of tail
  std::vector<std::string> shards;                                                  ///< of tail and lag: those alone; empty: all
  std::optional<std::uint64_t> most;                                                ///< of tail: records; null: no end

  std::optional<command_line::store_name> checkpoints;  ///< of lag
  std::optional<std::string> pipeline;                  ///< of lag: whose checkpoints
  std::string lease_table;                              ///< of lag; empty: none
};

/// Adds the command to the program's; when it was given, `to` is what it says.
void add_kinesis(CLI::App& app, std::optional<options>& to);

}  // namespace kinesis_tool
