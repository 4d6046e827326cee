#pragma once

#include "hub_options.hpp"

#include <command_line/event_loop.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hub_tool {

/// How far a partition has been processed: the last event that is done.
struct progress_of_partition {
  std::string text = "none";           ///< for people
  std::optional<std::int64_t> number;  ///< its sequence number; null: not known
  std::string offset;                  ///< where only that is known
};

/// How far the partitions of an event hub have been processed. Those that nothing is known of have not been begun.
class hub_progress {
public:
  void set(std::string id, progress_of_partition at) { known_.insert_or_assign(std::move(id), std::move(at)); }
  progress_of_partition of(std::string const& id) const;

private:
  std::map<std::string, progress_of_partition> known_;
};

/// What the checkpoints or blobs say that the command line names; nothing where it names none. Errors: those of the store, or the
/// container; `errc::not_found` when the store has nothing of the hub, `errc::invalid_option` when several pipelines read it and none is
/// named.
hub_progress find_progress(options const& o, command_line::event_loop& loop);

}  // namespace hub_tool
