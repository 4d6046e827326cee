#pragma once
#include <weir/kinesis/record.hpp>
#include <weir/kinesis/record_batch.hpp>
#include <weir/kinesis/record_unpacker.hpp>
#include <weir/lambda/event.hpp>
#include <weir/position.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace weir::lambda {

/// Reads the records of an event of Kinesis, in chunks, in their order: the same records that `kinesis::source` reads by polling, so one
/// handler serves both. What a producer (KPL) has put into one record comes one by one, as there; none is left out as misplaced, since
/// an event does not say which keys its shard has.
///
/// Reading goes on behind a position: `kinesis_records(e, frontier)`. Per chunk one block holds its data, which the records share and keep.
/// Strand only; several may read one event.
class kinesis_records {
public:
  /// Throws `errc::misuse` when the event is of another source.
  explicit kinesis_records(event const& from, std::optional<position> after = {});

  /// The next records, up to 256, held until the next call. None: that were all. Throws `errc::malformed`, with the event's ARN and the
  /// record's index, when a record lacks its sequence number, its data or its partition key, or one of them is none, or a sequence number
  /// is not above the one before it. What is in front of that record has come by then, and the same error comes again.
  std::span<kinesis::record> next();

private:
  kinesis::record_batch read();
  std::shared_ptr<detail::event_index const> index_;
  kinesis::record_unpacker unpacker_;
  std::optional<position> last_;
  std::size_t next_ = 0;
};

}  // namespace weir::lambda
