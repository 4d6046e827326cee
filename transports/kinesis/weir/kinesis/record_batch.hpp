#pragma once
#include <weir/instant.hpp>
#include <weir/kinesis/shard.hpp>
#include <weir/position.hpp>
#include <weir/shared_bytes.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::kinesis {

/// A record as a shard holds it; its bytes are those of the batch it came in. Cheap to copy.
struct record_view {
  std::string_view data;  ///< as the producer sent it; may be aggregated (`read_aggregated`)
  std::string_view partition_key;
  weir::position position;          ///< its sequence number, with 0 as sub-sequence number (`sequence_number_of`)
  instant arrival = start_of_time;  ///< approximate, to the millisecond, not always in order; unset: not said
  bool encrypted = false;           ///< it was stored encrypted by a KMS key
};

/// What reading a shard once has brought. May have no records though there are more: then `behind` is above zero. A value.
struct record_batch {
  record_batch() = default;

  shared_bytes bytes;  ///< what the records view; a reference to it keeps them. None when there are no records.
  std::vector<record_view> records;
  std::string next_iterator;  ///< for the records behind these, good for five minutes; empty: the shard has ended
  /// By how much the last record is older than the newest one; zero at the tip. Null: not said. For people: some services say zero with a
  /// backlog, or more than that without one.
  std::optional<std::chrono::milliseconds> behind;
  /// Of an event of a subscription: behind which record the next one goes on; empty: the shard has ended.
  std::string continuation;
  std::vector<child_shard> children;  ///< where it goes on, when it has ended; some services do not say
};

}  // namespace weir::kinesis
