#pragma once
#include <weir/instant.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace weir::kinesis {

/// Which shards of a stream are meant. A value.
/// Source: "ShardFilter", Kinesis Data Streams API reference.
class shard_filter {
public:
  /// As the service calls them.
  enum class type : std::uint8_t { none, at_trim_horizon, from_trim_horizon, at_latest, at_timestamp, from_timestamp, after_shard_id };

  /// All that there are, also those whose records are gone: without a filter.
  shard_filter() noexcept = default;
  /// Those which were open when the oldest record that is still there came.
  static shard_filter at_trim_horizon() { return shard_filter(type::at_trim_horizon); }
  /// ... and all that came after them: every shard that may have records.
  static shard_filter from_trim_horizon() { return shard_filter(type::from_trim_horizon); }
  /// Those which are open.
  static shard_filter at_latest() { return shard_filter(type::at_latest); }
  /// Those which were open at that time.
  static shard_filter at(instant t) { return shard_filter(type::at_timestamp, t); }
  /// ... and all that came after them.
  static shard_filter from(instant t) { return shard_filter(type::from_timestamp, t); }
  /// Those whose ids come after this one.
  static shard_filter after(std::string shard_id) { return shard_filter(type::after_shard_id, 0, std::move(shard_id)); }

  type which() const noexcept { return type_; }
  /// Of `at` and `from`.
  instant time() const noexcept { return time_; }
  /// Of `after`.
  std::string const& shard_id() const noexcept { return shard_id_; }

private:
  explicit shard_filter(type t, instant time = 0, std::string shard_id = {}) noexcept
      : type_(t), time_(time), shard_id_(std::move(shard_id)) {}

  type type_ = type::none;
  instant time_ = 0;
  std::string shard_id_;
};

}  // namespace weir::kinesis
