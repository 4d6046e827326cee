#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A message of an event stream with headers that are strings, written by its documentation ("Amazon Event Stream Specification",
/// smithy.io).
inline std::string event_frame(std::vector<std::pair<std::string, std::string>> const& headers, std::string const& payload) {
  auto const be = [](std::size_t n, int bytes) {
    std::string out;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(n >> shift & 0xff);
    return out;
  };
  // CRC-32, bit by bit (ISO 3309): not the library's.
  auto const crc = [](std::string_view bytes) {
    std::uint32_t out = 0xffffffff;
    for (char const c : bytes) {
      out ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit != 8; ++bit) out = (out >> 1) ^ ((out & 1) != 0 ? 0xedb88320 : 0);
    }
    return ~out;
  };
  std::string head;
  for (auto const& [name, value] : headers) head += static_cast<char>(name.size()) + name + '\7' + be(value.size(), 2) + value;
  std::string out = be(16 + head.size() + payload.size(), 4) + be(head.size(), 4);
  out += be(crc(out), 4);
  out += head + payload;
  return out + be(crc(out), 4);
}

/// An event of SubscribeToShard, as Kinesis frames it (a frame of it is in aws-sdk-ruby #2779).
inline std::string subscription_event(std::string const& json) {
  return event_frame(
      {{":message-type", "event"}, {":event-type", "SubscribeToShardEvent"}, {":content-type", "application/x-amz-json-1.1"}}, json);
}
/// The exception that ends a subscription.
inline std::string subscription_exception(std::string const& type, std::string const& message) {
  return event_frame({{":message-type", "exception"}, {":exception-type", type}, {":content-type", "application/x-amz-json-1.1"}},
                     R"({"message":")" + message + R"("})");
}
/// What Kinesis begins with, before the first event.
inline std::string initial_response() {
  return event_frame({{":message-type", "event"}, {":event-type", "initial-response"}, {":content-type", "application/x-amz-json-1.1"}},
                     "{}");
}

}  // namespace weir::test
