#pragma once
#include <weir/instant.hpp>
#include <weir/position.hpp>

#include <concepts>
#include <string_view>

namespace weir {

/// What a transport delivers. Records of all transports satisfy it, so that one pipeline function serves all.
/// - `payload()`: the bytes, valid as long as the record;
/// - `partition_key()`: what the producer partitioned by, or what stands for it (a file's path);
/// - `position()`: where the record ends in its partition: a stream opened after this position continues with the next record. It
///   survives a move: a record that was moved from still knows it;
/// - `arrival()`: when the transport got hold of it.
template <class R>
concept stream_record = requires(R const& r) {
  { r.payload() } -> std::convertible_to<std::string_view>;
  { r.partition_key() } -> std::convertible_to<std::string_view>;
  { r.position() } -> std::convertible_to<position>;
  { r.arrival() } -> std::convertible_to<instant>;
};

/// Where an element of type `R` ends: its own position if it has one; other elements are counted from 1 in their partition.
template <class R>
concept positioned = requires(R const& r) {
  { r.position() } -> std::convertible_to<position>;
};

}  // namespace weir
