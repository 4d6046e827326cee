#pragma once
#include <weir/net/http_options.hpp>

#include <chrono>
#include <cstddef>

namespace weir::net {

/// How a client of HTTP/2 behaves. All times are the system's.
struct http2_options {
  /// As for HTTP/1.1, with what differs: `request_timeout` is until the head of a reply has come, a body takes as long as it takes;
  /// `idle_timeout`, `most_idle` and `most_body` do not count, since connections end with their last reply and bodies are not kept.
  http_options http;
  /// How long a body that is pulled may bring nothing, after which it fails with `errc::timed_out`. 0: for ever.
  std::chrono::milliseconds read_timeout{};
  /// Bytes of a body that the server may send ahead of who takes it, 65,535 to 2^31 - 1. So much memory a reply may need.
  std::size_t window = 1024 * 1024;
  /// How long a server may be silent until it is asked whether it is still there (PING), > 0.
  std::chrono::milliseconds ping_after = std::chrono::seconds(15);
  /// How long it may take to answer that, > 0; then the connection is given up, and what is under way fails with `errc::unavailable`.
  std::chrono::milliseconds ping_timeout = std::chrono::seconds(10);
};

}  // namespace weir::net
