#include <weir/net/detail/connection.hpp>

#include <weir/net/detail/open_socket.hpp>
#include <weir/net/detail/shake_hands.hpp>
#include <weir/net/detail/stream_connection.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/tls_settings.hpp>

#include <boost/asio/ssl/stream.hpp>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;
using plain_connection = stream_connection<tcp::socket>;
using secure_connection = stream_connection<asio::ssl::stream<tcp::socket>>;

task<std::unique_ptr<connection>> connection::open(url const& to, http_options const& options, tls_settings& tls, proxy const* by) {
  task<tcp::socket> connecting = open_socket(to, options, by);
  tcp::socket socket = co_await within(options.connect_timeout, std::move(connecting), "cannot connect", "connect_timeout");
  if (!to.secure()) co_return std::make_unique<plain_connection>(std::move(socket));
  auto secure = std::make_unique<secure_connection>(std::move(socket), tls.get());
  task<> shaking = shake_hands(secure->stream(), to, "");
  co_await within(options.tls_timeout, std::move(shaking), "cannot make the connection secure", "tls_timeout");
  co_return secure;
}

}  // namespace weir::net::detail
