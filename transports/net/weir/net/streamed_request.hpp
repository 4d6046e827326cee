#pragma once
#include <weir/net/headers.hpp>
#include <weir/stream.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::net {

/// What a client sends, of which the body is made while it is sent: in chunks, since its length is not known. Move-only.
struct streamed_request {
  streamed_request(std::string with_method, std::string to_url, stream<std::string_view> with_body) noexcept
      : method(std::move(with_method)), url(std::move(to_url)), body(std::move(with_body)) {}

  std::string method;    ///< a token, as it is sent: upper case
  std::string url;       ///< "https://example.com/upload"
  net::headers headers;  ///< as `request` has them; those of `trailers` are to be named in a header Trailer
  /// Pieces of the body, each valid until the next pull; empty ones are passed over. It is pulled first when there is a connection, and
  /// from then on when the system has taken what came before: a server that does not read is waited for. When it fails the connection is
  /// closed before the body's end, so that the server has no whole request.
  stream<std::string_view> body;
  /// What is sent behind the body; asked for when that has ended. Null: nothing.
  std::function<net::headers()> trailers;
};

}  // namespace weir::net
