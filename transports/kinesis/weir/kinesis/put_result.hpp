#pragma once
#include <string>
#include <system_error>

namespace weir::kinesis {

/// What has become of a record that was put into a stream. A value.
struct put_result {
  put_result() = default;

  std::string shard_id, sequence_number;  ///< where it is; empty when it was not taken
  std::error_code failure;  ///< why it was not taken: `weir::errc::throttled`, `unavailable`, ... as for whole calls; none: it was
  std::string why;          ///< what the service says of it: "ProvisionedThroughputExceededException: Rate exceeded for shard ..."
};

}  // namespace weir::kinesis
