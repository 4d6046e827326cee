#pragma once
#include <weir/lambda/event.hpp>
#include <weir/lambda/kafka_record.hpp>
#include <weir/position.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace weir::lambda {

/// Reads the records of one partition of an event of Kafka, in chunks, in their order; `after`: those behind this position.
/// Strand only; several may read one event.
class kafka_records {
public:
  /// `partition` is an index into `event::partitions()`. Throws `errc::misuse` when the event has no such partition, or is of another
  /// source.
  kafka_records(event const& from, std::size_t partition, std::optional<position> after = {});

  /// The next records, up to 256, held until the next call. None: that were all. Throws `errc::malformed`, with the partition and the
  /// index of the record, when one has no topic, partition or offset, a key or value that is no base64, or an offset that is not above
  /// the one before it. What is in front of that record has come by then, and the same error comes again.
  std::span<kafka_record> next();

private:
  char const* read(std::size_t index, detail::value_block& values, kafka_record& to);
  std::shared_ptr<detail::event_index const> index_;
  std::size_t end_ = 0;
  std::size_t next_ = 0;
  std::optional<position> after_, last_;  // `last_`: of the record before the next one
  std::vector<kafka_record> records_;
};

}  // namespace weir::lambda
