#pragma once
#include <weir/kinesis/hash_key.hpp>

#include <string>
#include <vector>

namespace weir::kinesis {

/// A shard of a stream, open or closed. A value.
struct shard {
  shard() = default;
  friend bool operator==(shard const&, shard const&) = default;

  std::string id;  ///< "shardId-000000000000"
  hash_key_range keys;
  std::string parent, adjacent_parent;  ///< which it came of by a split (one) or a merge (two); empty: none
  std::string first_sequence_number;
  /// It takes no more records: it was split or merged. It may hold some for as long as the stream keeps them.
  bool closed = false;
};

/// A shard that goes on where one has ended, as the end of that one tells. A value.
struct child_shard {
  child_shard() = default;
  friend bool operator==(child_shard const&, child_shard const&) = default;

  std::string id;
  hash_key_range keys;
  std::vector<std::string> parents;  ///< one after a split, two after a merge
};

}  // namespace weir::kinesis
