#pragma once
#include <weir/position.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::kinesis {

/// The position of a record: its sequence number, and, where several came in one record (KPL), which of them it is, from 0.
/// Null when `text` is no whole number of less than 192 bits (Kinesis' have 186), or `sub` is 2^61 or more.
std::optional<position> position_of(std::string_view sequence_number, std::uint64_t sub = 0) noexcept;
/// The sequence number of such a position.
std::string sequence_number_of(position const& p);
/// Which of the records in one record.
std::uint64_t sub_sequence_number_of(position const& p) noexcept;

}  // namespace weir::kinesis
