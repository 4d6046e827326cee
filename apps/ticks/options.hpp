#pragma once

#include "generator.hpp"
#include "tick_fields.hpp"

#include <command_line/kinesis_place.hpp>
#include <command_line/store_name.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace ticks {

/// An event hub, and how it is reached.
struct hub_place {
  std::string name;               ///< empty: the connection string says it (EntityPath)
  std::string connection_string;  ///< of the namespace, or of the hub
  std::string endpoint;           ///< where to connect in place of the namespace's host; empty: there
  std::string group = "$Default";
};

/// What the command line asks for. The defaults here are the defaults of the program.
struct options {
  enum class task { bars, demo };
  enum class input_format { by_name, ndjson, csv };
  enum class source { market, file, kinesis, eventhubs };

  task what = task::bars;
  bool naive = false;  ///< demo: fold with a plain `+=`

  source from = source::market;
  std::string input;                       ///< file to read
  command_line::kinesis_place kinesis;     ///< stream to read
  command_line::reading_start start;       ///< where shards or partitions begin that have no checkpoint
  hub_place hub;                           ///< event hub to read
  std::string leases;                      ///< table of DynamoDB by which runs share its shards; empty: this one reads all of them
  std::int64_t failover = 10'000'000'000;  ///< ns without a sign of life after which another one takes over what a run reads
  input_format format = input_format::by_name;
  tick_fields fields;
  bool follow = false;       ///< wait for the input file to grow
  double speed = 0;          ///< event time per wall time; 0: as fast as possible
  std::string dead_letters;  ///< file for lines and records that are not ticks; empty: such a one ends the run
  market made;
  std::uint64_t count = 1'000'000;  ///< ticks of the built-in market, over all runs; 0: endless

  command_line::store_name bars{command_line::store_kind::sqlite, "ticks.bars.sqlite"};
  std::optional<command_line::store_name> checkpoint;  ///< null: in the database of the bars
  std::string events;                                  ///< empty: none; "-": standard output
  std::string late;                                    ///< file for ticks whose bar had closed; empty: they are only counted
  std::int64_t window = 60'000'000'000;                ///< ns
  std::int64_t bound = 5'000'000'000;                  ///< ns a tick may be behind the newest one and is never late
  std::int64_t dedup = 0;                              ///< ns between the times of two deliveries of one trade; 0: all are different trades
  std::int64_t early = 0;                              ///< ns of event time between two looks at open bars; 0: only closed bars are stored
  std::uint32_t batch = 65'536;                        ///< ticks between two checkpoints, at most
  /// Where the run can be watched in a browser: nowhere; at this port of this machine, or, without one, at the usual one.
  enum class watching { by_terminal, off, on };
  watching watched = watching::by_terminal;  ///< by_terminal: on where standard error is a terminal
  std::optional<std::uint16_t> status_port;
  std::uint32_t show = 20;  ///< bars in the table at the end; 0: no table

  /// Where checkpoints go: by default to the database of the bars, which then has both in one transaction.
  command_line::store_name const& checkpoints() const { return checkpoint ? *checkpoint : bars; }
};

/// Reads the command line. Null when there is nothing to run: then `exit_code` is 0 after `--help` and `--version` (printed), or 2 after
/// a mistake, which is explained in one line on standard error.
std::optional<options> parse_command_line(int argc, char const* const* argv, int& exit_code);

}  // namespace ticks
