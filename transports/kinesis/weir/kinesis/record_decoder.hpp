#pragma once
#include <weir/kinesis/record_batch.hpp>

#include <memory>
#include <string_view>

namespace weir::kinesis {

/// Reads replies of GetRecords, and events of SubscribeToShard. Keeps memory for the longest reply so far, so that one is used for many.
/// Not thread-safe.
///
/// A member may be missing (but for Records) or null, in any order, and there may be others. Per reply there is one block for the bytes of
/// all records, and none per record.
class record_decoder {
public:
  record_decoder();
  ~record_decoder();
  record_decoder(record_decoder&&) noexcept;
  record_decoder& operator=(record_decoder&&) noexcept;

  /// Throws `errc::malformed` when it is no such reply or event: no JSON; without Records; a record without a sequence number, data or
  /// partition key, or with one that is none.
  record_batch decode(std::string_view body);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace weir::kinesis
