#include <weir/net/detail/shake_hands.hpp>

#include <weir/asio.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl/error.hpp>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <string_view>
#include <utility>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// The name that the server is to prove, and that it is told, as one server may have several.
void expect_host(::SSL* ssl, std::string const& host) {
  boost::system::error_code no_address;
  asio::ip::make_address(host, no_address);
  if (no_address) {
    // SSL_set_tlsext_host_name, a macro with a cast of C.
    ::SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, const_cast<char*>(host.c_str()));
    ::SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    ::SSL_set1_host(ssl, host.c_str());
  } else {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), host.c_str());
  }
}

// Source: RFC 7301, section 3.1: names, each with its length before it.
void offer(::SSL* ssl, std::string const& protocol) {
  std::string const list = static_cast<char>(protocol.size()) + protocol;
  ::SSL_set_alpn_protos(ssl, reinterpret_cast<unsigned char const*>(list.data()), static_cast<unsigned>(list.size()));
}

std::string_view agreed(::SSL const* ssl) noexcept {
  unsigned char const* name = nullptr;
  unsigned size = 0;
  ::SSL_get0_alpn_selected(ssl, &name, &size);
  return {reinterpret_cast<char const*>(name), size};
}

}  // namespace

task<> shake_hands(asio::ssl::stream<tcp::socket>& stream, url const& to, std::string protocol) {
  expect_host(stream.native_handle(), to.host());
  if (!protocol.empty()) offer(stream.native_handle(), protocol);
  auto const [failed] = co_await stream.async_handshake(asio::ssl::stream_base::client, asio::as_tuple(use));
  bool const disagreed = failed.category() == asio::error::get_ssl_category() &&
                         ERR_GET_REASON(static_cast<unsigned long>(failed.value())) == SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL;
  if (failed && !disagreed) {
    long const verified = ::SSL_get_verify_result(stream.native_handle());
    fail_to_secure(failed, verified == X509_V_OK ? std::string_view() : ::X509_verify_cert_error_string(verified));
  }
  if (disagreed || (!protocol.empty() && agreed(stream.native_handle()) != protocol))
    throw error(errc::incompatible, "http: cannot use the connection",
                "the server does not speak HTTP/2 there (it did not agree to " + protocol + ")",
                "correct the URL; a proxy between may not let HTTP/2 through");
}

}  // namespace weir::net::detail
