#include <weir/net/detail/tunnel.hpp>

#include <weir/asio.hpp>
#include <weir/cancellation.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/headers.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <string>

namespace weir::net::detail {
namespace http = boost::beast::http;
using boost::asio::as_tuple;

namespace {

constexpr char const* refused = "http: the proxy makes no connection";

http::request<http::empty_body> asking(url const& to, http_options const& options, proxy const& by) {
  std::string const place =
      (to.host().find(':') == std::string::npos ? to.host() : '[' + to.host() + ']') + ':' + std::to_string(to.port());
  http::request<http::empty_body> m(http::verb::connect, place, 11);
  m.set(http::field::host, place);
  m.set(http::field::user_agent, options.user_agent);
  if (!by.authorization.empty()) m.set(http::field::proxy_authorization, by.authorization);
  return m;
}

}  // namespace

void fail_at_proxy(unsigned status, std::string_view wants, proxy const& by) {
  std::string const answer = "it answers with status " + std::to_string(status);
  if (status == 407) {
    bool const basic = wants.empty() || lower_case(wants).find("basic") != std::string::npos;
    if (!basic)
      throw error(errc::access_denied, refused, "it wants " + std::string(wants.substr(0, wants.find(' '))) + ", and only Basic is known",
                  "name another proxy, or one on this machine that knows it");
    throw error(errc::access_denied, refused,
                by.authorization.empty() ? "it wants a user and a password (407)" : "it does not take the user and the password (407)",
                "put them into " + by.source + ": http://user:password@" + by.authority);
  }
  if (status == 401 || status == 403)
    throw error(errc::access_denied, refused, answer, "let it allow the host, or add the host to NO_PROXY");
  if (status == 429) throw error(errc::throttled, refused, answer, "ask less often");
  if (status >= 500) throw error(errc::unavailable, refused, answer, "see that the proxy reaches the host, or add the host to NO_PROXY");
  throw error(errc::rejected, refused, answer + " to CONNECT", "see that " + by.source + " names a proxy for https");
}

task<> open_tunnel(boost::asio::ip::tcp::socket& socket, url const& to, http_options const& options, proxy const& by) {
  http::request<http::empty_body> const m = asking(to, options, by);
  // What it answers is worth more than the failure to send.
  auto const [not_sent, sent] = co_await http::async_write(socket, m, as_tuple(use));
  if (not_sent == boost::asio::error::operation_aborted) weir::detail::throw_cancelled();
  boost::beast::flat_buffer buffer;
  for (;;) {
    http::response_parser<http::empty_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(options.most_header));
    parser.skip(true);  // what is behind the header is the server's
    auto const [failed, size] = co_await http::async_read_header(socket, buffer, parser, as_tuple(use));
    if (failed == http::error::end_of_stream || failed == http::error::partial_message || failed == boost::asio::error::eof ||
        failed == boost::asio::error::connection_reset)
      throw error(errc::unavailable, refused, "it closed the connection before it had answered", "see that the proxy reaches the host");
    if (failed) fail_to_receive(failed);
    unsigned const status = parser.get().result_int();
    if (status < 200 && status != 101) continue;
    if (status / 100 != 2) {
      auto const wants = parser.get()[http::field::proxy_authenticate];
      fail_at_proxy(status, {wants.data(), wants.size()}, by);
    }
    if (buffer.size() != 0) throw error(errc::malformed, refused, "bytes come behind its answer, before anything was sent");
    co_return;
  }
}

}  // namespace weir::net::detail
