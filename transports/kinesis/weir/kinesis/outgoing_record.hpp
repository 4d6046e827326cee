#pragma once
#include <weir/kinesis/hash_key.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace weir::kinesis {

/// A record to be put into a stream. A value.
struct outgoing_record {
  outgoing_record() = default;
  outgoing_record(std::string key, std::string bytes, std::optional<hash_key> to = {}) noexcept
      : partition_key(std::move(key)), data(std::move(bytes)), explicit_hash_key(to) {}
  friend bool operator==(outgoing_record const&, outgoing_record const&) = default;

  std::string partition_key;                  ///< 1 to 256 characters of UTF-8; decides on the shard
  std::string data;                           ///< any bytes
  std::optional<hash_key> explicit_hash_key;  ///< decides on the shard in place of the partition key

  /// What counts against the limits of a stream and of a request: data and partition key.
  std::size_t size() const noexcept { return data.size() + partition_key.size(); }
};

}  // namespace weir::kinesis
