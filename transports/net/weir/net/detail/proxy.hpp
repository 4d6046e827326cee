#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::net::detail {

// A proxy, and where one has read of it.
struct proxy {
  // Reads "http://user:password@proxy:3128"; without a scheme it is http, and without a port 80. `source` has to be corrected where the
  // text is of no use: then it throws errc::invalid_option, without the text, in which there may be a password.
  static proxy parse(std::string_view text, std::string source);
  // "by the proxy proxy:3128 of HTTPS_PROXY", without secrets.
  std::string text() const;

  std::string host, authority, source;
  std::uint16_t port = 0;
  std::string authorization;  // the value of Proxy-Authorization; empty: none
};

}  // namespace weir::net::detail
