#pragma once
#include <weir/redis/detail/reply.hpp>
#include <weir/state_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::redis::detail {

// Under which keys a checkpoint lies. Names are written with %XX for every byte but letters, digits and ".-_", so that no name can be
// taken for another; all keys of a pipeline have the same tag in braces.
//   weir:{bars}                     a set: "ticks:shard-1" for each checkpoint
//   weir:{bars}:ticks:shard-1:head  a hash of position, time, ...
//   ...:state                       a hash: operator and key (see ordered_bytes.hpp) to eight bytes of checksum and the value
//   ...:order                       a sorted set of the same fields, all with score 0: for prefixes, and to read them in order, page by
//   page
class state_keys {
public:
  state_keys(std::string const& space, checkpoint_key const& key);

  std::string member;  // of the index
  std::string head, state, order, index;
};

std::string index_of(std::string const& space, std::string const& pipeline);
// What the index of every pipeline looks like, as a pattern of SCAN; and the name of the pipeline from such a key, null: it is none.
std::string index_pattern(std::string const& space);
std::optional<std::string> pipeline_of(std::string const& space, std::string_view index);
// From a member of the index; null: it is none.
std::optional<checkpoint_key> key_of(std::string const& pipeline, std::string_view member);

}  // namespace weir::redis::detail
