#pragma once
#include <weir/kinesis/outgoing_record.hpp>
#include <weir/kinesis/producer_options.hpp>
#include <weir/outside_write.hpp>
#include <weir/task.hpp>

#include <memory>
#include <vector>

namespace weir::kinesis {

/// Puts records into a stream, as few requests as the limits allow, one after the other; of a request that was taken in part, what was not
/// is put again, and only that. `sink` and `record_sender` put what pipelines make.
///
/// Guarantee: at least once: a request whose reply is lost is made again.
/// Errors: `errc::malformed` (partition key) and `errc::too_large` for records that no stream takes, before any is put; when tries are used
/// up, what the last one said, with stream and number of records; at once where trying again is of no use (`errc::access_denied`,
/// `not_found`, ...; `rejected`: the stream takes no such records, for their size perhaps).
/// A copy is the same producer. Thread-safety: as `client`.
class producer {
public:
  /// Throws `errc::invalid_option` for options out of their ranges, and what `client` throws.
  explicit producer(producer_options o);

  /// Returns when all of them are in the stream. Backpressures when: the stream does, by waiting. Cancelled: some may be there.
  task<> put(std::vector<outgoing_record> records) const;
  /// The same as a part of a commit. One that has failed goes on with what was not taken yet.
  std::shared_ptr<outside_write> write(std::vector<outgoing_record> records) const;

private:
  struct parts;
  class records_write;
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::kinesis
