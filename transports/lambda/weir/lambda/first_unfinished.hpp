#pragma once
#include <weir/lambda/event.hpp>
#include <weir/position.hpp>

#include <cstddef>
#include <optional>

namespace weir::lambda {

/// The index of the first record of a stream (Kinesis, DynamoDB) that is not done, when all up to `frontier` are (null: none is); null when
/// all are. A record in which a producer (KPL) has put several is done when all of those are. A record that cannot be read is not done.
/// `event::identifier` of it is what to report. Throws `errc::misuse` for an event of another source.
std::optional<std::size_t> first_unfinished(event const& e, std::optional<position> const& frontier);
/// The same for records of a partition of Kafka; the index is one of the event's records, not of the partition's.
std::optional<std::size_t> first_unfinished(event const& e, std::size_t partition, std::optional<position> const& frontier);

}  // namespace weir::lambda
