#pragma once

#include "kinesis_options.hpp"

#include <weir/kinesis/starting_position.hpp>
#include <command_line/event_loop.hpp>

#include <map>
#include <string>
#include <string_view>

namespace kinesis_tool {

/// How far a shard has been processed.
struct progress_of_shard {
  std::string text = "none";                                                                   ///< what the checkpoint says, for people
  bool is_done = false;                                                                        ///< to the end of the shard
  weir::kinesis::starting_position begins = weir::kinesis::starting_position::trim_horizon();  ///< where its next record is looked for
};

/// How far the shards of a stream have been processed. Those that nothing is known of have not been begun.
class shard_progress {
public:
  void set(std::string id, progress_of_shard at) { known_.insert_or_assign(std::move(id), std::move(at)); }
  progress_of_shard of(std::string const& id) const;

private:
  std::map<std::string, progress_of_shard> known_;
};

/// What the checkpoints or leases say that the command line names; nothing where it names none. Errors: those of the store, or the table;
/// `errc::not_found` when it has nothing of the stream, `errc::invalid_option` when several pipelines read it and none is named.
shard_progress find_progress(options const& o, command_line::event_loop& loop);

}  // namespace kinesis_tool
