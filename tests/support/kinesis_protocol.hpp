#pragma once
#include "support/kinesis_stream.hpp"

#include <weir/instant.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weir::test {

/// Kinesis' operations on streams in memory, JSON in and JSON out, without I/O and without a clock of its own. Checks arguments as strictly
/// as the service; throws `refusal`.
/// Operations: CreateStream, DeleteStream, DescribeStreamSummary, ListShards, GetShardIterator, GetRecords, PutRecord, PutRecords,
/// SplitShard, MergeShards, UpdateShardCount.
class kinesis_protocol {
public:
  /// How it behaves.
  struct options {
    std::chrono::nanoseconds retention = std::chrono::hours(24);
    std::chrono::nanoseconds change_time{};  ///< how long a stream is CREATING or UPDATING
    /// Whether a shard takes 5 reads, 1,000 records and 1 MiB a second, and no more; and none to read for a while after a large reply.
    bool limits = false;
    bool child_shards = true;                                ///< false: the end of a shard says nothing of its children, as in kinesalite
    std::size_t most_reply = std::size_t{10} * 1024 * 1024;  ///< bytes of records in one reply
    std::size_t most_record = std::size_t{1024} * 1024;      ///< of a record
  };
  explicit kinesis_protocol(options o) : options_(o) {}

  /// The body of the reply. `failing`: entries of PutRecords that are not taken, and why.
  std::string call(std::string_view operation, std::string const& body, instant now, std::vector<std::size_t> const& failing = {},
                   std::string const& why = {});

  /// For tests to look at and change.
  kinesis_stream& stream(std::string const& name);
  void create(std::string const& name, std::size_t shards, instant now);
  /// All iterators and page tokens that were given until now have expired.
  void expire_all() { ++generation_; }

private:
  struct request;
  struct use {  // of a shard, for limits
    std::deque<instant> reads;
    instant not_before = start_of_time;
    instant second = start_of_time;
    std::size_t records = 0, bytes = 0;
  };
  struct entry {
    entry(kinesis_stream s, instant ready) : of(std::move(s)), ready_at(ready) {}
    kinesis_stream of;
    instant ready_at;
    bool updating = false;
    std::map<std::size_t, use> uses;
  };
  struct cursor {
    std::string stream, shard;
    std::uint64_t number = 0;
  };

  entry& find(request const& r, instant now);
  entry& changeable(request const& r, instant now);
  std::string describe(request const& r, instant now);
  std::string list_shards(request const& r, instant now);
  std::string iterator(request const& r, instant now);
  std::string records(request const& r, instant now);
  std::string put_one(request const& r, instant now);
  std::string put_all(request const& r, instant now, std::vector<std::size_t> const& failing, std::string const& why);
  void reshard(std::string_view operation, request const& r, instant now);
  std::string sealed(std::string const& text, instant now) const;
  std::vector<std::string> unsealed(std::string const& text, instant now, char const* expired) const;
  void count_read(use& u, instant now) const;
  bool has_room(use& u, std::size_t bytes, instant now) const;

  options options_;
  std::map<std::string, entry> streams_;
  std::uint64_t generation_ = 0;
};

}  // namespace weir::test
