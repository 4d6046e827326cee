#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace weir::kinesis {

/// Where reading a shard begins. A value.
/// Source: "GetShardIterator" and "StartingPosition", Kinesis Data Streams API reference.
class starting_position {
public:
  /// As the service calls them.
  enum class type : std::uint8_t { trim_horizon, latest, at_timestamp, at_sequence_number, after_sequence_number };

  /// With the oldest record that is still there.
  static starting_position trim_horizon() { return starting_position(type::trim_horizon); }
  /// With what comes from now on.
  static starting_position latest() { return starting_position(type::latest); }
  /// With the first record that arrived then or later. To the millisecond; a time to come is refused (`errc::invalid_argument`).
  static starting_position at(instant t) { return starting_position(type::at_timestamp, t); }
  /// With this record.
  static starting_position at(std::string sequence_number) {
    return starting_position(type::at_sequence_number, 0, std::move(sequence_number));
  }
  /// Behind it.
  static starting_position after(std::string sequence_number) {
    return starting_position(type::after_sequence_number, 0, std::move(sequence_number));
  }

  type which() const noexcept { return type_; }
  /// Of `at(instant)`.
  instant time() const noexcept { return time_; }
  /// Of the last two.
  std::string const& sequence_number() const noexcept { return sequence_number_; }
  friend bool operator==(starting_position const&, starting_position const&) = default;

private:
  explicit starting_position(type t, instant time = 0, std::string sequence_number = {}) noexcept
      : type_(t), time_(time), sequence_number_(std::move(sequence_number)) {}

  type type_;
  instant time_;
  std::string sequence_number_;
};

}  // namespace weir::kinesis
