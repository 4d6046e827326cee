#pragma once
#include <weir/net/http2_options.hpp>
#include <weir/net/request.hpp>
#include <weir/net/streamed_response.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <memory>

namespace weir::net {

/// An HTTP/2 client for replies that do not end: their bodies are pulled as they come. Over TLS, where the server has to agree to `h2`
/// (ALPN), or plain, where it has to know (prior knowledge).
/// ```cpp
/// net::http2_client const client;
/// net::streamed_response answer = co_await client.send(ask);
/// while (std::string_view const* piece = co_await answer.body.next()) decoder.feed(*piece);
/// ```
/// Requests to one origin from one strand share a connection, as many as the server lets there be; it is made by the first of them, and
/// ends with the last reply. Any status is an answer; nothing is tried again, but for what the server says that it has not looked at
/// (REFUSED_STREAM, or a GOAWAY before it), which is sent again, once, on another connection. A server that says nothing is asked whether
/// it is still there, so that one which has vanished is noticed.
///
/// Proxies: for https as `http_client`, by a tunnel. A plain origin is asked directly, whatever `http_proxy` says, since what a proxy does
/// with requests for http is HTTP/1.1's; where it cannot be reached so, give it TLS.
///
/// Errors: those of `http_client`; `errc::incompatible`, the server does not speak HTTP/2 (it did not agree to it, or has begun with
/// something else); `errc::malformed`, it breaks the protocol's rules; `errc::unavailable`, the stream was reset, or the connection lost.
/// Thread-safety: a value, copies share their connections; `send` from any strand, each of which has connections of its own. A reply
/// belongs to the strand that asked for it. A copy may outlive the event loops it was used on, as of `http_client`.
/// Source: RFC 9113 (nghttp2), RFC 7301 (OpenSSL).
class http2_client {
public:
  /// Throws `errc::invalid_option` for a limit of zero, or a window that cannot be.
  explicit http2_client(http2_options options = {});

  /// Sends a request and returns when the head of the answer has come.
  task<streamed_response> send(request r) const;
  /// Connections that are open at the moment.
  std::size_t connections() const;

private:
  struct parts;
  static task<streamed_response> send_by(std::shared_ptr<parts> p, request r);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::net
