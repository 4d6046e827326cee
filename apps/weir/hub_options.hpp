#pragma once

#include "line_keys.hpp"

#include <command_line/kinesis_place.hpp>
#include <command_line/store_name.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hub_tool {

/// What the command line asks for, of `weir eventhubs`.
struct options {
  enum class task { partitions, send, tail, lag, ownership };
  task what = task::partitions;

  std::string hub;
  std::string connection_string;        ///< of the namespace, or of the hub
  std::string endpoint;                 ///< where to connect in place of the namespace's host; empty: there
  std::string group = "$Default";       ///< the consumer group
  std::vector<std::string> partitions;  ///< of tail and lag: those alone; empty: all. Of send: the one
  bool json = false;                    ///< of all but send

  std::string file = "-";  ///< of send: whose lines; "-" is standard input
  state_tool::key_choice keys = state_tool::key_choice::none;
  std::string key;  ///< of `fixed` the key, of `field` the field's name

  command_line::reading_start start{command_line::reading_start::kind::latest, 0};  ///< of tail
  std::optional<std::uint64_t> most;                                                ///< of tail: events; null: no end

  std::optional<command_line::store_name> checkpoints;  ///< of lag
  std::optional<std::string> pipeline;                  ///< of lag: whose checkpoints
  std::string storage;                                  ///< the connection string of a storage account
  std::string container;                                ///< of lag and ownership: where a group's blobs are; of lag empty: none
};

/// Adds the command to the program's; when it was given, `to` is what it says.
void add_eventhubs(CLI::App& app, std::optional<options>& to);

}  // namespace hub_tool
