#pragma once
#include <weir/kinesis/record_batch.hpp>

#include <memory>
#include <string>

namespace weir::kinesis {

/// Reads replies of GetRecords. Keeps its memory, some 4 bytes for each of the longest reply so far, so that one is used for many. Not
/// thread-safe.
///
/// A member may be missing or null, in any order, and there may be others. Per reply there is one block for the bytes of all records, and
/// none per record.
class record_decoder {
public:
  record_decoder();
  ~record_decoder();
  record_decoder(record_decoder&&) noexcept;
  record_decoder& operator=(record_decoder&&) noexcept;

  /// `body` is used up. Throws `errc::malformed` when it is not such a reply: no JSON; a record without a sequence number, data or
  /// partition key, or with one that is none.
  record_batch decode(std::string body);

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace weir::kinesis
