#pragma once
#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/hash_key.hpp>
#include <weir/kinesis/record.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/position.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::kinesis {

/// What is done with a record that came in another one into a shard which its key does not belong to.
enum class misplaced_records : std::uint8_t {
  /// It is left out, and counted. A producer (KPL) which had an old map of the shards sends such records again, to the right ones.
  drop,
  /// It is a record like any other: for producers which do not send them again, and for streams which Kinesis spreads records over
  /// by itself (UpdateStreamRecordDistributionStrategy).
  keep,
};

/// Makes the records of one shard of its replies, in chunks: takes apart what producers have put into one record. No I/O.
///
/// A record that came in another one has the position of that one, and its number in it, from 0; what is not behind the position that
/// reading resumes from is left out. A producer who put records of several shards into one is told from the others by the keys of each
/// record, unlike by KCL, which leaves out all of them if one is misplaced.
/// Allocates once per record that has others in it. Strand only.
class record_unpacker {
public:
  /// The most records of a chunk.
  static constexpr std::size_t most = 256;

  record_unpacker(std::string shard_id, hash_key_range keys, misplaced_records policy, std::optional<position> after)
      : shard_id_(std::move(shard_id)), keys_(keys), policy_(policy), after_(after) {}

  /// A reply. Precondition: `next` has returned none since the one before.
  void take(record_batch batch);
  /// The next records, held until the next call. None: that were all.
  std::span<record> next();

  /// How many were left out so far because they are misplaced.
  std::uint64_t misplaced() const noexcept { return misplaced_; }

private:
  void unpack();
  bool misplaced(inner_record const& r) const;
  void add(record_view const& from, std::string_view data, std::string_view key, std::string_view hash_key, std::uint64_t sub);
  void take_back() noexcept;

  std::string const shard_id_;
  hash_key_range const keys_;
  misplaced_records const policy_;
  std::optional<position> after_;  // null once it is passed
  record_batch batch_;
  std::size_t next_ = 0;             // record of the batch
  std::vector<inner_record> inner_;  // of the one before `next_`
  std::size_t next_inner_ = 0;
  std::string_view id_;       // in the batch's bytes
  shared_bytes_stock stock_;  // of references to the batch's bytes
  std::vector<record> records_;
  std::size_t count_ = 0;
  std::uint64_t misplaced_ = 0;
};

}  // namespace weir::kinesis
