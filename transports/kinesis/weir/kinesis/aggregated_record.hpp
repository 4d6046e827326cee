#pragma once
#include <weir/kinesis/outgoing_record.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::kinesis {

/// A record which a producer (KPL) has put into another one. Views into that.
struct inner_record {
  std::string_view partition_key;
  std::optional<std::string_view> explicit_hash_key;  ///< decimal
  std::string_view data;
};

/// The records in a record. Null for a plain one: whose bytes do not begin as an aggregated one's do, or whose checksum is wrong, or which
/// are not what the format says behind them, as with KCL. May be empty.
/// Source: "KPL Aggregated Record Format" (amazon-kinesis-producer, aggregation-format.md).
std::optional<std::vector<inner_record>> read_aggregated(std::string_view bytes);
/// The data of a record that has these in it, byte for byte as the KPL writes it. Consumers drop all of them when one belongs to another
/// shard than the record they come in, so they should have one hash key. Not without any.
std::string write_aggregated(std::span<outgoing_record const> records);

}  // namespace weir::kinesis
