#pragma once
#include <weir/net/http_options.hpp>
#include <weir/net/request.hpp>
#include <weir/net/response.hpp>
#include <weir/net/streamed_request.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <memory>

namespace weir::net {

/// An HTTP/1.1 client, over TCP or TLS.
/// ```cpp
/// net::http_client const client({.request_timeout = 5s});
/// net::request ask("POST", "https://example.com/hook", R"({"ok":true})");
/// ask.headers.add("Content-Type", "application/json");
/// net::response const answer = co_await client.send(ask);
/// ```
/// Any status is an answer, redirects are not followed, nothing is tried again, but for this: connections are kept for the next request
/// to the same origin, and a server may close one just when a request is on its way. When nothing came back on such a connection and the
/// request is idempotent (`is_idempotent`), it is sent again, once, on a fresh one; otherwise it fails with `errc::unavailable`.
///
/// TLS 1.2 or later; the server's certificate must come from an authority that is trusted, and be for the host of the URL. No HTTP/2,
/// compression or cookies; addresses of a host are tried one after the other.
///
/// Proxies: for https that of `https_proxy`, HTTPS_PROXY, `all_proxy` or ALL_PROXY, the first that is set, which is asked for a tunnel
/// (CONNECT) and sees no more than host and port; for http that of `http_proxy` (only in lower case, as with curl, since HTTP_PROXY may
/// come from a request by CGI), `all_proxy` or ALL_PROXY, which is sent the whole request. "http://user:password@proxy:3128" is the form,
/// of which the host is enough; user and password are sent as Basic. This machine is asked directly (localhost, 127.0.0.0/8, ::1), and
/// who `no_proxy` or NO_PROXY has: names with all below them, addresses, networks ("10.0.0.0/8"), each with a port or without, or "*".
/// Proxies over TLS or SOCKS are refused with `errc::invalid_option` by the first request that would need them.
///
/// Errors, which say the origin but not the path, and the proxy but not its password: `std::errc::connection_refused`; `errc::not_found`,
/// there is no such host; `errc::timed_out`; `errc::access_denied`, TLS was refused, or the proxy wants another password or forbids the
/// host; `errc::unavailable`, no connection, none from the proxy on, or it was lost before the whole reply; `errc::throttled` and
/// `rejected` by a proxy; `errc::malformed`, the reply is not HTTP; `errc::too_large`; `errc::invalid_option` for a request that cannot be
/// sent. Cancelled: the connection is closed; whether the server has the request is not known.
///
/// Thread-safety: a value, copies share their connections; `send` from any strand, each of which has connections of its own. A copy may
/// outlive the event loops it was used on, but the last one must not go at the very moment when another thread destroys such a loop.
/// Source: RFC 9110, RFC 9112 (Boost.Beast); RFC 6125 (OpenSSL); for proxies the manual of curl, "Environment".
class http_client {
public:
  /// Throws `errc::invalid_option` for a limit of zero.
  explicit http_client(http_options options = {});

  /// Sends a request and returns the answer to it.
  task<response> send(request r) const;
  /// The same with a body that is pulled, on a connection of its own, which is closed behind the answer. It is never sent again; when it
  /// fails before the body was pulled first, nothing was sent, and the body is as it was.
  ///
  /// A server that answers before the body's end is heard when it has closed its connection, or the body has ended. The body runs under the
  /// request's time, `http_options::request_timeout`. Fails with what the body fails with.
  task<response> send(streamed_request r) const;
  /// Connections that are kept at the moment.
  std::size_t idle_connections() const;

private:
  struct parts;
  static task<response> send_by(std::shared_ptr<parts> p, request r);
  static task<response> stream_by(std::shared_ptr<parts> p, streamed_request r);
  std::shared_ptr<parts> parts_;
};

}  // namespace weir::net
