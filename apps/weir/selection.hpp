#pragma once

#include "opened_store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace state_tool {

/// Which checkpoints of a store are meant: those with all the names that are given.
struct selection {
  std::optional<std::string> pipeline, stream, partition;

  bool takes(weir::checkpoint_key const& key) const;
  bool takes_all() const { return !pipeline && !stream && !partition; }
};

/// The keys of a store that are meant, in order. Throws `errc::not_found` when names are given and there is none.
std::vector<weir::checkpoint_key> select_keys(opened_store& from, selection const& which);

/// The one that is meant. Throws `errc::not_found`, also when there is none at all, and `errc::invalid_option` when there are several.
weir::checkpoint_key select_one(opened_store& from, selection const& which);

}  // namespace state_tool
