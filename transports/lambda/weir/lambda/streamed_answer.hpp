#pragma once
#include <weir/stream.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace weir::lambda {

/// An answer that is made while it is sent (response streaming), for who reads it in that way: a function URL whose invoke mode is
/// RESPONSE_STREAM, or InvokeWithResponseStream. It may have 200 MB, in place of the 6 MB of an answer that is sent whole. Event source
/// mappings read whole answers alone, so `use_aws_lambda` sends those; they stay below 6 MB, with 10,000 messages that fail at 0.6 MB, and
/// partitions of Kafka at 3. Move-only.
/// Source: "Response streaming for Lambda functions", and "Building a custom runtime for AWS Lambda", AWS Lambda developer guide.
struct streamed_answer {
  explicit streamed_answer(stream<std::string_view> with_body, std::string of_type = "application/octet-stream") noexcept
      : content_type(std::move(of_type)), body(std::move(with_body)) {}

  std::string content_type;
  stream<std::string_view> body;  ///< pieces, each valid until the next pull, which waits until the service has taken what came before
};

}  // namespace weir::lambda
