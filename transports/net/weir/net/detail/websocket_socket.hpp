#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/role.hpp>

#include <utility>

namespace weir::net::detail {

// What a WebSocket is over, as types of their own: Beast ends a connection by waiting for the peer to close it, for as long as that takes,
// and what happens meanwhile hides the reason. These are closed at once.
class plain_socket : public boost::asio::ip::tcp::socket {
public:
  explicit plain_socket(boost::asio::ip::tcp::socket from) noexcept : boost::asio::ip::tcp::socket(std::move(from)) {}
};
class secure_socket : public boost::asio::ssl::stream<boost::asio::ip::tcp::socket> {
public:
  using boost::asio::ssl::stream<boost::asio::ip::tcp::socket>::stream;
};

template <class Socket, class Handler> void close_at_once(Socket& socket, Handler&& handler) {
  boost::system::error_code ignored;
  socket.lowest_layer().close(ignored);
  boost::asio::post(socket.get_executor(), boost::beast::bind_front_handler(std::forward<Handler>(handler), boost::system::error_code()));
}
// Beast finds these by their name.
template <class Handler> void async_teardown(boost::beast::role_type, plain_socket& socket, Handler&& handler) {
  close_at_once(socket, std::forward<Handler>(handler));
}
template <class Handler> void async_teardown(boost::beast::role_type, secure_socket& socket, Handler&& handler) {
  close_at_once(socket, std::forward<Handler>(handler));
}

}  // namespace weir::net::detail
