#include <weir/net/detail/open_tunnelled.hpp>

#include <weir/net/detail/open_socket.hpp>
#include <weir/net/detail/proxy.hpp>
#include <weir/net/detail/tunnel.hpp>

#include <utility>

namespace weir::net::detail {
using boost::asio::ip::tcp;

task<tcp::socket> open_tunnelled(url const& to, http_options const& options, proxy const* by) {
  task<tcp::socket> connecting = open_socket(to, options, by);
  tcp::socket socket = co_await std::move(connecting);
  if (by && !to.secure()) {
    task<> opening = open_tunnel(socket, to, options, *by);
    co_await std::move(opening);
  }
  co_return std::move(socket);
}

}  // namespace weir::net::detail
