#pragma once
#include <weir/kinesis/client_options.hpp>
#include <weir/retry_policy.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::kinesis {

/// In which order records stand in the stream that were put one after the other.
enum class put_order : std::uint8_t {
  /// Mostly as they were put; one that is refused for a while stands behind later ones.
  any,
  /// Those of one partition key as they were put: a request has one record of each key at most, so few keys make many small requests, but
  /// where records are aggregated.
  per_key,
};

/// Into which stream records are put, and how: `{.stream = "bars", .order = kinesis::put_order::per_key}`.
struct producer_options {
  std::string stream;  ///< its name, or its ARN
  put_order order = put_order::any;
  std::size_t most_records = 500;                          ///< in a request, 1 to 500
  std::size_t most_bytes = std::size_t{10} * 1024 * 1024;  ///< of data and partition keys in a request, 1 to 10 MiB
  /// Of a record, data and partition key; a larger one is refused (`errc::too_large`). 1 byte to 10 MiB, of which a stream takes 1 MiB
  /// unless it was told otherwise (UpdateMaxRecordSize).
  std::size_t most_record_bytes = std::size_t{1024} * 1024;
  /// Above 0: records of one key (partition key and explicit hash key) that are put together make one record of about so many bytes, in
  /// the format of the KPL: less requests, and more of them within a stream's limits. Consumers must take them apart (`read_aggregated`,
  /// KCL). KPL's own size is 51,200. Only of one key, so that no consumer drops them for being of another shard after a split.
  std::size_t aggregate_bytes = 0;

  /// How often and how late what was not taken is put again, and a call made again that failed for a while (`condition::retryable`).
  /// Counted anew when any record was taken. Default: 10 times, from 100 ms up to 10 s.
  retry_policy retry = retry_policy().attempts(10).first_delay(std::chrono::milliseconds(100)).cap(std::chrono::seconds(10));
  /// Where Kinesis is. Its `retry` has no say.
  client_options client;
};

}  // namespace weir::kinesis
