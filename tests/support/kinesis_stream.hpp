#pragma once
#include <weir/instant.hpp>
#include <weir/kinesis/hash_key.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A stream as Kinesis keeps it, in memory, without I/O and without a clock of its own. Its functions throw what the service answers
/// (`refusal`).
class kinesis_stream {
public:
  struct record {
    std::uint64_t number;  ///< in the stream, from 1; a part of its sequence number
    instant arrival;
    std::string partition_key, data;
  };
  struct shard {
    std::size_t index = 0;
    kinesis::hash_key_range keys;
    std::vector<std::size_t> parents, children;
    instant created = 0;
    std::optional<instant> closed;
    std::uint64_t first = 0, last = 0;  ///< numbers that were its own: from when it was created, and closed
    std::deque<record> records;
    bool gone = false;  ///< it was trimmed away when it was closed

    std::string id() const;
    std::string sequence_number(std::uint64_t number) const;
    /// Its number; null: it is of another shard, or none.
    std::optional<std::uint64_t> number_of(std::string_view sequence_number) const;
  };

  kinesis_stream(std::string name, std::size_t shards, instant now);

  std::string const& name() const noexcept { return name_; }
  std::string arn() const { return "arn:aws:kinesis:us-east-1:000000000000:stream/" + name_; }
  instant created() const noexcept { return created_; }
  /// All that there ever were, by index.
  std::vector<shard> const& shards() const& noexcept { return shards_; }
  std::vector<shard> shards() && noexcept { return std::move(shards_); }
  /// One that is still there.
  shard const& at(std::string_view shard_id) const;
  std::vector<std::size_t> open() const;

  /// The open shard with this key.
  std::size_t owner_of(kinesis::hash_key key) const;
  record const& put(std::size_t shard, std::string partition_key, std::string data, instant now);
  void split(std::string_view shard_id, kinesis::hash_key at, instant now);
  void merge(std::string_view shard_id, std::string_view adjacent_id, instant now);
  /// By splits of the widest and merges of the narrowest shards.
  void set_count(std::size_t target, instant now);
  /// Drops records that arrived before `horizon`, and shards that were closed before and have none.
  void trim(instant horizon);

private:
  shard& add(kinesis::hash_key_range keys, std::vector<std::size_t> parents, instant now);
  void close(shard& s, instant now);
  std::size_t open_index(std::string_view shard_id) const;

  std::string name_;
  instant created_;
  std::vector<shard> shards_;
  std::uint64_t next_ = 1;
};

/// Where a shard is split in two halves.
kinesis::hash_key middle_of(kinesis::hash_key_range const& keys);

}  // namespace weir::test
