#pragma once
#include <weir/instant.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::kinesis {

/// What a stream is up to. Reading and writing works in `active` and `updating`.
enum class stream_status : std::uint8_t {
  creating,
  deleting,
  active,
  updating,  ///< shards are being split or merged
  unknown,   ///< something that this client has not heard of
};

/// What is known of a stream as a whole. A value.
struct stream_summary {
  stream_summary() = default;

  std::string name, arn;
  stream_status status = stream_status::unknown;
  std::size_t open_shards = 0;
  std::chrono::hours retention{24};             ///< how long records are kept: 24 hours to 365 days
  instant created = start_of_time;              ///< which tells a stream from another one of the same name before; unset: not said
  bool encrypted = false;                       ///< by a KMS key
  bool on_demand = false;                       ///< the service splits and merges shards itself
  std::size_t most_record_bytes = 1024 * 1024;  ///< of a record: 1 to 10 MiB
};

}  // namespace weir::kinesis
