#pragma once
#include <cstdint>
#include <string>

namespace weir::kinesis {

/// What a consumer of a stream is up to. It can be used in `active`.
enum class consumer_status : std::uint8_t {
  creating,
  deleting,
  active,
  unknown,  ///< something that this client has not heard of
};

/// A consumer that is registered with a stream: who reads with a throughput of its own (enhanced fan-out). A value.
/// Source: "Consumer", Kinesis Data Streams API reference.
struct stream_consumer {
  stream_consumer() = default;

  std::string name;
  std::string arn;  ///< by which shards are subscribed to; another one when a consumer of that name is registered anew
  consumer_status status = consumer_status::unknown;
};

}  // namespace weir::kinesis
