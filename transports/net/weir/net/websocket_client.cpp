#include <weir/net/websocket_client.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/open_tunnelled.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/proxy_settings.hpp>
#include <weir/net/detail/shake_hands.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>
#include <weir/net/detail/websocket_over.hpp>
#include <weir/net/detail/websocket_socket.hpp>
#include <weir/net/url.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace weir::net {
namespace asio = boost::asio;
using asio::ip::tcp;

struct websocket_client::parts {
  explicit parts(websocket_options o)
      : options(std::move(o)), tls(options.http.ca_file), proxies(options.http.proxy, options.http.proxies_from) {}
  websocket_options const options;
  detail::tls_settings tls;
  detail::proxy_settings const proxies;
};

namespace {

websocket_options checked(websocket_options o) {
  auto const require = [](bool holds, std::string const& what) {
    if (!holds) throw error(errc::invalid_option, "websocket: cannot make a client", what);
  };
  constexpr std::chrono::milliseconds none{};
  require(o.http.connect_timeout > none, "connect_timeout is not above zero");
  require(o.http.tls_timeout > none, "tls_timeout is not above zero");
  require(o.http.request_timeout > none, "request_timeout is not above zero");
  require(o.close_timeout > none, "close_timeout is not above zero");
  require(o.most_message > 0, "most_message is not above zero");
  for (auto const& name : o.protocols) require(is_token(name), "\"" + name + "\" is no name of a sub-protocol");
  constexpr std::array<std::string_view, 4> ours{"Host", "Connection", "Upgrade", "Sec-WebSocket-Protocol"};
  for (auto const& [name, value] : o.headers)
    for (std::string_view const our : ours) require(!same_name(name, our), "the header " + name + " is the client's own");
  return o;
}

// "wss" is to "ws" as "https" is to "http", and all else is the same. RFC 6455, section 3.
url address_of(std::string const& text) {
  std::string const lower = lower_case(text.substr(0, text.find(':')));
  auto const refuse = [](std::string why) {
    throw error(errc::invalid_option, "websocket: cannot open it", "the URL " + std::move(why), "write wss://example.com/path");
  };
  if (lower != "ws" && lower != "wss") refuse("begins neither with ws:// nor with wss://");
  auto parsed = url::parse("http" + lower.substr(2) + text.substr(lower.size()));
  if (!parsed) refuse(std::string(to_string(parsed.error())));
  return *std::move(parsed);
}

std::string origin_of(url const& to) { return (to.secure() ? "wss://" : "ws://") + to.authority(); }

template <class Stream> task<std::unique_ptr<websocket>> upgraded(Stream stream, url const& to, websocket_options const& options) {
  auto made = std::make_unique<detail::websocket_over<Stream>>(std::move(stream), options.close_timeout);
  task<> upgrading = made->upgrade(to.authority(), to.target(), options);
  co_await std::move(upgrading);
  co_return std::move(made);
}

task<std::unique_ptr<websocket>> opened(url const& to, websocket_options const& options, detail::tls_settings& tls,
                                        detail::proxy const* by) {
  // A proxy for plain HTTP does not know what comes after the upgrade: it gets a tunnel, too. RFC 6455, section 4.1.
  task<tcp::socket> connecting = detail::open_tunnelled(to, options.http, by);
  tcp::socket socket = co_await detail::within(options.http.connect_timeout, std::move(connecting), "cannot connect", "connect_timeout");
  if (!to.secure()) {
    task<std::unique_ptr<websocket>> upgrading = upgraded(detail::plain_socket(std::move(socket)), to, options);
    co_return co_await std::move(upgrading);
  }
  detail::secure_socket secure(std::move(socket), tls.get());
  task<> shaking = detail::shake_hands(secure, to, "");
  co_await detail::within(options.http.tls_timeout, std::move(shaking), "cannot make the connection secure", "tls_timeout");
  task<std::unique_ptr<websocket>> upgrading = upgraded(std::move(secure), to, options);
  co_return co_await std::move(upgrading);
}

}  // namespace

websocket_client::websocket_client(websocket_options options) : parts_(std::make_shared<parts>(checked(std::move(options)))) {}

task<std::unique_ptr<websocket>> websocket_client::open(std::string url) const { return open_by(parts_, std::move(url)); }

task<std::unique_ptr<websocket>> websocket_client::open_by(std::shared_ptr<parts> p, std::string text) {
  url const to = address_of(text);
  std::optional<detail::proxy> const found = p->proxies.for_url(to);
  detail::proxy const* const by = found ? &*found : nullptr;
  try {
    task<std::unique_ptr<websocket>> work = opened(to, p->options, p->tls, by);
    std::unique_ptr<websocket> made =
        co_await detail::within(p->options.http.request_timeout, std::move(work), "no WebSocket", "request_timeout");
    co_return std::move(made);
  } catch (error& e) {
    if (e.code() == condition::cancelled) throw;
    e.with_detail(origin_of(to));
    if (by) e.with_detail(by->text());
    throw;
  }
}

}  // namespace weir::net
