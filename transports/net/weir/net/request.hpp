#pragma once
#include <weir/net/headers.hpp>

#include <string>
#include <utility>

namespace weir::net {

/// What a client sends. A value.
struct request {
  request() = default;
  request(std::string with_method, std::string to_url, std::string with_body = {}) noexcept
      : method(std::move(with_method)), url(std::move(to_url)), body(std::move(with_body)) {}

  std::string method = "GET";  ///< a token, as it is sent: upper case
  std::string url;             ///< "https://example.com/hook"
  /// Beside those that the client makes itself: Host, Content-Length, Transfer-Encoding, Connection, which may not be here. User-Agent may.
  net::headers headers;
  std::string body;  ///< sent with its length, also when it is empty and the method is POST, PUT or PATCH
};

/// Whether it does no harm when it arrives twice: by its method (GET, HEAD, OPTIONS, TRACE, PUT, DELETE), or because it has an
/// Idempotency-Key, by which a receiver knows it again.
/// Source: RFC 9110, section 9.2.2.
bool is_idempotent(request const& r) noexcept;

}  // namespace weir::net
