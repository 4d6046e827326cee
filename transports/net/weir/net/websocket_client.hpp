#pragma once
#include <weir/net/websocket.hpp>
#include <weir/net/websocket_options.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>

namespace weir::net {

/// Opens WebSockets, over TCP ("ws://host/path") or TLS ("wss://").
/// ```cpp
/// net::websocket_options options;
/// options.protocols = {"amqp"};
/// net::websocket_client const client(options);
/// std::unique_ptr<net::websocket> const socket = co_await client.open("wss://example.com/feed");
/// co_await socket->write(bytes);
/// ```
/// TLS and proxies are as with `http_client`, but for this: also for ws a proxy is asked for a tunnel, by the variables for http.
/// No compression (permessage-deflate), no redirects.
///
/// Errors of `open`, which say the origin but not the path: those of `http_client` on the way to the server. When it answers with a status
/// of HTTP: `errc::access_denied` for 401, 403 and 407, `not_found` for 404 and 410, `throttled` for 429, `unavailable` from 500 on, and
/// `rejected` for others. `incompatible` when it chose no sub-protocol that was offered; `malformed` when what it says is not as it should
/// be. Cancelled: the connection is closed.
///
/// Thread-safety: a value; `open` from any strand, to which the WebSocket then belongs.
/// Source: RFC 6455 (Boost.Beast).
class websocket_client {
public:
  /// Throws `errc::invalid_option` for a limit of zero, and for a sub-protocol that is no token.
  explicit websocket_client(websocket_options options = {});

  task<std::unique_ptr<websocket>> open(std::string url) const;

private:
  struct parts;
  static task<std::unique_ptr<websocket>> open_by(std::shared_ptr<parts> p, std::string url);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::net
