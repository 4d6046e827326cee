#pragma once
#include <weir/net/headers.hpp>
#include <weir/stream.hpp>

#include <string_view>
#include <utility>

namespace weir::net {

/// What a server answers, of which the body is still on its way. Move-only.
struct streamed_response {
  streamed_response(unsigned with_status, net::headers with_headers, stream<std::string_view> with_body) noexcept
      : status(with_status), headers(std::move(with_headers)), body(std::move(with_body)) {}

  unsigned status;       ///< 200 to 999
  net::headers headers;  ///< names in lower case; trailers are left out
  /// Pieces of the body as they come, each valid until the next pull; empty ones there are none.
  /// - Emits when: bytes have come.   Backpressures: the server is not let send more than `http2_options::window` ahead.
  /// - Completes when: the body is whole.   Fails with `errc::unavailable` when it was reset, or the connection lost, before that; what
  ///   came is emitted first.   Cancelled, or destroyed: the server is told that nobody wants the rest (RST_STREAM).
  stream<std::string_view> body;
};

}  // namespace weir::net
