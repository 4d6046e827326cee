#pragma once
#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::net {

/// Why a text is not where a request can go.
enum class url_fault : std::uint8_t {
  malformed,     ///< it is no absolute URL
  other_scheme,  ///< its scheme is neither http nor https
  no_host,       ///< it names no host
  user_info,     ///< it has a user or a password in it, which would be sent to nobody: put them into a header
  bad_port,      ///< its port is not between 1 and 65535
};

/// The sentence of a fault, to put behind the text: "is no absolute URL".
std::string_view to_string(url_fault fault) noexcept;

/// `result::value()` throws `weir::error` with `errc::invalid_option`.
[[noreturn]] void throw_exception_from_error(url_fault fault, boost::source_location const& where);

/// Where a request goes. A value.
class url {
public:
  /// Reads "https://example.com:8443/hook?x=1". The fragment is left out, as it is never sent; host and scheme come in lower case, the rest
  /// stays as it is written.
  /// Source: RFC 3986, section 3 (Boost.URL); RFC 9110, section 4.2.
  static boost::system::result<url, url_fault> parse(std::string_view text);

  bool secure() const noexcept { return secure_; }
  /// A name or an address, for the resolver: an IPv6 address without its brackets.
  std::string const& host() const noexcept { return host_; }
  /// 1 to 65535; 80 or 443 when the text has none.
  std::uint16_t port() const noexcept { return port_; }
  /// Path and query, what stands in the request line; begins with a slash.
  std::string const& target() const noexcept { return target_; }
  /// Host and, where it is not the scheme's own, port: what stands in the Host header.
  std::string authority() const;
  /// Scheme and authority: "https://example.com". Requests to one origin may share connections; it has no secrets.
  std::string origin() const;

private:
  url() = default;

  bool secure_ = false;
  std::string host_, target_;
  std::uint16_t port_ = 0;
};

}  // namespace weir::net
