#include <weir/net/tcp_client.hpp>

#include <weir/error.hpp>
#include <weir/net/detail/open_tunnelled.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/proxy_settings.hpp>
#include <weir/net/detail/shake_hands.hpp>
#include <weir/net/detail/socket_stream.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>
#include <weir/net/url.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weir::net {
namespace asio = boost::asio;
using asio::ip::tcp;

struct tcp_client::parts {
  explicit parts(http_options o) : options(std::move(o)), tls(options.ca_file), proxies(options.proxy, options.proxies_from) {}
  http_options const options;
  detail::tls_settings tls;
  detail::proxy_settings const proxies;
};

namespace {

http_options checked_for_tcp(http_options o) {
  auto const require = [](bool holds, char const* what) {
    if (!holds) throw error(errc::invalid_option, "tcp: cannot make a client", what);
  };
  constexpr std::chrono::milliseconds none{};
  require(o.connect_timeout > none, "connect_timeout is not above zero");
  require(o.tls_timeout > none, "tls_timeout is not above zero");
  return o;
}

// "tls" is to "tcp" as "https" is to "http", but for the ports, which neither has.
url stream_address(std::string const& text) {
  auto const refuse = [](std::string why) {
    throw error(errc::invalid_option, "tcp: cannot open it", "the URL " + std::move(why), "write tls://example.com:5671");
  };
  std::string const scheme = text.substr(0, text.find(':'));
  if (scheme != "tcp" && scheme != "tls") refuse("begins neither with tcp:// nor with tls://");
  auto parsed = url::parse((scheme == "tls" ? "https" : "http") + text.substr(scheme.size()));
  if (!parsed) refuse(std::string(to_string(parsed.error())));
  std::size_t const begin = scheme.size() + std::string_view("://").size();
  std::string const at = text.substr(begin, text.find('/', begin) - begin);
  if (at.rfind(':') == std::string::npos || at.back() == ':' || at.back() == ']') refuse("has no port");
  return *std::move(parsed);
}

task<std::unique_ptr<byte_stream>> opened_stream(url const& to, http_options const& options, detail::tls_settings& tls,
                                                 detail::proxy const* by) {
  task<tcp::socket> connecting = detail::open_tunnelled(to, options, by);
  tcp::socket socket = co_await detail::within(options.connect_timeout, std::move(connecting), "cannot connect", "connect_timeout");
  std::unique_ptr<byte_stream> out;
  if (!to.secure()) {
    out = std::make_unique<detail::socket_stream<tcp::socket>>(std::move(socket));
    co_return out;
  }
  asio::ssl::stream<tcp::socket> secure(std::move(socket), tls.get());
  task<> shaking = detail::shake_hands(secure, to, "");
  co_await detail::within(options.tls_timeout, std::move(shaking), "cannot make the connection secure", "tls_timeout");
  out = std::make_unique<detail::socket_stream<asio::ssl::stream<tcp::socket>>>(std::move(secure));
  co_return out;
}

}  // namespace

tcp_client::tcp_client(http_options options) : parts_(std::make_shared<parts>(checked_for_tcp(std::move(options)))) {}

task<std::unique_ptr<byte_stream>> tcp_client::open(std::string url) const { return open_by(parts_, std::move(url)); }

task<std::unique_ptr<byte_stream>> tcp_client::open_by(std::shared_ptr<parts> p, std::string text) {
  url const to = stream_address(text);
  std::optional<detail::proxy> const found = p->proxies.for_url(to);
  detail::proxy const* const by = found ? &*found : nullptr;
  try {
    task<std::unique_ptr<byte_stream>> work = opened_stream(to, p->options, p->tls, by);
    std::unique_ptr<byte_stream> made = co_await std::move(work);
    co_return made;
  } catch (error& e) {
    if (e.code() == condition::cancelled) throw;
    e.with_detail(text);
    if (by) e.with_detail(by->text());
    throw;
  }
}

}  // namespace weir::net
