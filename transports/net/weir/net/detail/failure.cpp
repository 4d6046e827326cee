#include <weir/net/detail/failure.hpp>

#include <weir/cancellation.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>

namespace weir::net::detail {
namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

void pass_on_cancellation(error_code const& code) {
  if (code == asio::error::operation_aborted) weir::detail::throw_cancelled();
}
bool is_http(error_code const& code) { return code.category() == http::make_error_code(http::error::partial_message).category(); }

}  // namespace

void fail_to_resolve(error_code const& code, std::string const& host) {
  pass_on_cancellation(code);
  if (code == asio::error::host_not_found || code == asio::error::no_data)
    throw error(errc::not_found, "http: cannot connect", "there is no host " + host, "correct the URL, or the resolver's settings");
  throw error(errc::unavailable, "http: cannot connect", "the address of " + host + " cannot be found: " + code.message());
}

void fail_to_connect(error_code const& code) {
  pass_on_cancellation(code);
  if (code == asio::error::connection_refused)
    throw error(std::error_code(code), "http: cannot connect", "nobody listens there: the connection was refused",
                "start the server, or correct the URL");
  throw error(errc::unavailable, "http: cannot connect", code.message());
}

void fail_to_secure(error_code const& code, std::string_view verified) {
  pass_on_cancellation(code);
  if (!verified.empty())
    throw error(errc::access_denied, "http: TLS refused", "the server's certificate is not trusted: " + std::string(verified),
                "correct the host in the URL, or name the authority's certificate in ca_file");
  if (code.category() == asio::error::get_ssl_category())
    throw error(errc::access_denied, "http: TLS refused", code.message(), "see that the server speaks TLS 1.2 or later on that port");
  throw error(errc::unavailable, "http: cannot connect", "the server hung up during the TLS handshake: " + code.message());
}

void fail_to_receive(error_code const& code) {
  pass_on_cancellation(code);
  if (code == http::error::header_limit || code == http::error::buffer_overflow)
    throw error(errc::too_large, "http: cannot take the reply", "its header is larger than allowed", "raise most_header");
  if (code == http::error::body_limit)
    throw error(errc::too_large, "http: cannot take the reply", "its body is larger than allowed", "raise most_body");
  if (code == http::error::partial_message || code == asio::ssl::error::stream_truncated)
    throw error(errc::unavailable, "http: no whole reply", "the connection ended in the middle of it");
  if (code == http::error::end_of_stream || code == asio::error::eof)
    throw error(errc::unavailable, "http: no reply", "the server closed the connection before one");
  if (is_http(code))
    throw error(errc::malformed, "http: cannot read the reply", code.message(), "see that the server speaks HTTP/1.1 on that port");
  if (code.category() == asio::error::get_ssl_category())
    throw error(errc::access_denied, "http: TLS refused", code.message(), "see whether the server asks for a certificate of ours");
  throw error(errc::unavailable, "http: no reply", "the connection was lost: " + code.message());
}

void fail_in_time(std::string_view what, long long milliseconds, std::string_view option) {
  throw error(errc::timed_out, "http: " + std::string(what), "not done within " + std::to_string(milliseconds) + " ms",
              "raise " + std::string(option) + " if the server is that slow");
}

}  // namespace weir::net::detail
