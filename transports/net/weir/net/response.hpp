#pragma once
#include <weir/net/headers.hpp>

#include <string>

namespace weir::net {

/// What a server answers. A value.
struct response {
  response() = default;

  unsigned status = 0;   ///< 200 to 999
  net::headers headers;  ///< of the message; trailers are left out
  std::string body;      ///< whole; Content-Encoding is as the server sent it, and none is asked for
};

}  // namespace weir::net
