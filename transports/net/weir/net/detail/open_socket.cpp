#include <weir/net/detail/open_socket.hpp>

#include <weir/asio.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/failure.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/resolve.hpp>
#include <weir/net/detail/tunnel.hpp>

#include <boost/asio/as_tuple.hpp>

#include <string>
#include <vector>

namespace weir::net::detail {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// One address after the other; fails with what the last one said.
task<tcp::socket> connect(std::string host, std::uint16_t port) {
  context& own = co_await current_context();
  std::vector<tcp::endpoint> const addresses = co_await resolve(std::move(host), port);
  tcp::socket socket(own.environment().executor());
  boost::system::error_code last;
  for (tcp::endpoint const& at : addresses) {
    socket = tcp::socket(own.environment().executor());
    auto const [failed] = co_await socket.async_connect(at, asio::as_tuple(use));
    last = failed;
    if (!failed || failed == asio::error::operation_aborted) break;
  }
  if (!last) last = socket.set_option(tcp::no_delay(true), last);
  if (last) fail_to_connect(last);
  co_return std::move(socket);
}

task<tcp::socket> connect_to(proxy const& by) {
  try {
    task<tcp::socket> connecting = connect(by.host, by.port);
    co_return co_await std::move(connecting);
  } catch (error const& e) {
    if (e.code() == condition::cancelled) throw;
    throw error(e.code(), "http: cannot connect to the proxy", e.why(), "see that it runs, or correct " + by.source);
  }
}

}  // namespace

task<tcp::socket> open_socket(url const& to, http_options const& options, proxy const* by) {
  task<tcp::socket> connecting = by ? connect_to(*by) : connect(to.host(), to.port());
  tcp::socket socket = co_await std::move(connecting);
  if (by && to.secure()) {
    task<> opening = open_tunnel(socket, to, options, *by);
    co_await std::move(opening);
  }
  co_return std::move(socket);
}

}  // namespace weir::net::detail
