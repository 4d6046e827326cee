#pragma once
#include <weir/net/headers.hpp>
#include <weir/net/http_options.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace weir::net {

/// How a client of WebSocket behaves. All times are the system's.
struct websocket_options {
  /// As for HTTP/1.1, with what differs: `request_timeout` is until the connection can be used; `idle_timeout`, `most_idle`, `most_header`
  /// and `most_body` do not count.
  http_options http;
  /// Sub-protocols that are offered, the best first; one of them must be chosen. Empty: none is asked for.
  std::vector<std::string> protocols;
  /// Sent along with the request to open it, such as Authorization.
  net::headers headers;
  /// Bytes of a message, in one frame or several, that is taken; >= 1. A larger one ends the connection.
  std::size_t most_message = 16 * 1024 * 1024;
  /// How long the peer may take to answer a goodbye, > 0; then the connection is closed without it.
  std::chrono::milliseconds close_timeout = std::chrono::seconds(2);
};

}  // namespace weir::net
