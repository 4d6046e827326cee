#include <weir/net/detail/connection.hpp>

#include <weir/net/detail/open_socket.hpp>
#include <weir/net/detail/stream_connection.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>

#include <boost/asio/ssl/stream.hpp>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;
using plain_connection = stream_connection<tcp::socket>;
using secure_connection = stream_connection<asio::ssl::stream<tcp::socket>>;

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

task<> shake_hands(asio::ssl::stream<tcp::socket>& stream) {
  auto const [failed] = co_await stream.async_handshake(asio::ssl::stream_base::client, asio::as_tuple(use));
  if (!failed) co_return;
  long const verified = ::SSL_get_verify_result(stream.native_handle());
  fail_to_secure(failed, verified == X509_V_OK ? std::string_view() : ::X509_verify_cert_error_string(verified));
}

template <class T> task<T> within(std::chrono::milliseconds limit, task<T> work, std::string_view what, std::string_view option) {
  context& own = co_await current_context();
  time_limit limited(own, limit);
  try {
    co_return co_await std::move(work).under(limited.branch());
  } catch (error const& e) {
    if (!limited.passed() || e.code() != condition::cancelled) throw;
  }
  fail_in_time(what, limit.count(), option);
}

}  // namespace

task<std::unique_ptr<connection>> connection::open(url const& to, http_options const& options, tls_settings& tls, proxy const* by) {
  task<tcp::socket> connecting = open_socket(to, options, by);
  tcp::socket socket = co_await within(options.connect_timeout, std::move(connecting), "cannot connect", "connect_timeout");
  if (!to.secure()) co_return std::make_unique<plain_connection>(std::move(socket));
  auto secure = std::make_unique<secure_connection>(std::move(socket), tls.get());
  expect_host(secure->stream().native_handle(), to.host());
  task<> shaking = shake_hands(secure->stream());
  co_await within(options.tls_timeout, std::move(shaking), "cannot make the connection secure", "tls_timeout");
  co_return secure;
}

}  // namespace weir::net::detail
