#pragma once
#include <weir/net/base64.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

inline constexpr std::string_view ticks_arn = "arn:aws:kinesis:us-east-2:123456789012:stream/ticks";

/// Records of the stream "ticks" with these sequence numbers, whose data and keys are texts of them: `17` has "17" and "key 17".
inline std::string kinesis_event(std::vector<int> const& numbers, std::string_view arn = ticks_arn) {
  std::string out = R"({"Records":[)";
  for (int const n : numbers) {
    std::string const number = std::to_string(n);
    if (out.back() != '[') out += ',';
    out += R"({"kinesis":{"kinesisSchemaVersion":"1.0","partitionKey":"key )" + number + R"(","sequenceNumber":")" + number +
           R"(","data":")" + net::to_base64(number) +
           R"(","approximateArrivalTimestamp":1545084650.987},"eventSource":"aws:kinesis","eventVersion":"1.0",)" +
           R"("eventID":"shardId-000000000006:)" + number +
           R"(","eventName":"aws:kinesis:record","awsRegion":"us-east-2","eventSourceARN":")" + std::string(arn) + R"("})";
  }
  return out + "]}";
}

/// The answer that reports these.
inline std::string reports(std::vector<std::string> const& identifiers) {
  std::string out = R"({"batchItemFailures":[)";
  for (std::string const& id : identifiers)
    out += (out.back() == '[' ? R"({"itemIdentifier":")" : R"(,{"itemIdentifier":")") + id + R"("})";
  return out + "]}";
}

}  // namespace weir::test
