#pragma once
#include <weir/instant.hpp>
#include <weir/kinesis/hash_key.hpp>
#include <weir/position.hpp>
#include <weir/record.hpp>
#include <weir/shared_bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace weir::kinesis {

/// A record of a shard, or one of those that a producer (KPL) has put into one. It shares the bytes of the reply it came in, so it may be
/// kept for longer than its chunk; a record that is kept keeps its whole reply, of up to 10 MiB. A move copies no bytes, and a record costs
/// no allocation.
///
/// A record that was moved from has neither data nor keys any more, but still knows its position.
/// Thread-safety: as a value; records of one reply may be used and destroyed on different threads.
class record {
public:
  record() noexcept = default;
  record(record const&) noexcept = default;
  record& operator=(record const&) noexcept = default;
  record(record&& o) noexcept
      : bytes_(std::move(o.bytes_)),
        data_(std::exchange(o.data_, {})),
        key_(std::exchange(o.key_, {})),
        hash_key_(std::exchange(o.hash_key_, {})),
        shard_id_(std::exchange(o.shard_id_, {})),
        position_(o.position_),
        arrival_(o.arrival_),
        encrypted_(o.encrypted_) {}
  record& operator=(record&& o) noexcept {
    record moved(std::move(o));
    bytes_ = std::move(moved.bytes_);
    data_ = moved.data_;
    key_ = moved.key_;
    hash_key_ = moved.hash_key_;
    shard_id_ = moved.shard_id_;
    position_ = moved.position_;
    arrival_ = moved.arrival_;
    encrypted_ = moved.encrypted_;
    return *this;
  }
  ~record() = default;

  /// What the producer has sent. Valid as long as the record, like the other views.
  std::string_view data() const noexcept { return data_; }
  std::string_view payload() const noexcept { return data_; }
  std::string_view partition_key() const noexcept { return key_; }
  /// Its sequence number and, of one that came in another, its number there (`sequence_number_of`, `sub_sequence_number_of`).
  weir::position position() const noexcept { return position_; }
  /// When Kinesis got it, by its own clock, to the millisecond; not always in the order of the records.
  instant arrival() const noexcept { return arrival_; }

  std::string_view shard_id() const noexcept { return shard_id_; }
  /// Whether the stream was encrypted by a key of KMS when it came.
  bool encrypted() const noexcept { return encrypted_; }
  /// What decided its shard in place of its partition key, in decimal; empty: nothing did, or it is not known, since Kinesis tells it for
  /// none but those that came in another.
  std::string_view explicit_hash_key() const noexcept { return hash_key_; }
  /// What decided its shard, as far as that is known.
  kinesis::hash_key hash_key() const {
    auto const own = hash_key_.empty() ? std::nullopt : kinesis::hash_key::parse(hash_key_);
    return own ? *own : kinesis::hash_key::of(key_);
  }

private:
  friend class record_unpacker;
  shared_bytes bytes_;
  std::string_view data_, key_, hash_key_, shard_id_;
  weir::position position_;
  instant arrival_ = 0;
  bool encrypted_ = false;
};
static_assert(sizeof(record) <= 128);
static_assert(stream_record<record>);

}  // namespace weir::kinesis
