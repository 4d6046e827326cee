#pragma once
#include <cstdint>
#include <string>
#include <utility>

namespace weir {

/// A message of a pipeline as its sender gets it. Pipeline, stream, partition, topic and number together are its identity: a message that
/// is delivered twice, after a crash or a failure, has the same both times, and the same payload.
struct message {
  message() = default;
  message(std::string of_pipeline, std::string of_stream, std::string of_partition, std::string to_topic, std::uint64_t nth,
          std::string bytes) noexcept
      : pipeline(std::move(of_pipeline)),
        stream(std::move(of_stream)),
        partition(std::move(of_partition)),
        topic(std::move(to_topic)),
        number(nth),
        payload(std::move(bytes)) {}
  friend bool operator==(message const&, message const&) = default;

  std::string pipeline;      ///< as in checkpoints: "ticks/bars"
  std::string stream;        ///< what it reads: "file ticks.ndjson"
  std::string partition;     ///< which part of that
  std::string topic;         ///< what it was sent to: "bar:closed"
  std::uint64_t number = 0;  ///< 1 for the first message of this partition to this topic, one more with each
  std::string payload;       ///< what the topic makes of the value that was sent; any bytes
};

}  // namespace weir
