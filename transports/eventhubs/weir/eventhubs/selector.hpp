#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace weir::eventhubs {

/// Behind an event, or with it, by its offset.
struct from_offset {
  std::string offset;      ///< opaque, as a record had it
  bool inclusive = false;  ///< with that record
};
/// The same by its number.
struct from_sequence_number {
  std::int64_t sequence_number = 0;
  bool inclusive = false;
};
/// With what came after a moment.
struct from_time {
  instant enqueued = 0;  ///< what came later; to the millisecond, rounded down
};
/// With the oldest that is still kept.
struct from_earliest {};
/// With what comes from now on.
struct from_latest {};

/// Where a reader of a partition begins.
using starting_position = std::variant<from_latest, from_earliest, from_offset, from_sequence_number, from_time>;

/// The filter that says so to the service: "amqp.annotation.x-opt-sequence-number > '41'".
/// Source: the selector filter of the official clients.
std::string selector(starting_position const& from);

}  // namespace weir::eventhubs
