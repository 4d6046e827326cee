#pragma once

#include "runtime_api.hpp"

#include <weir/async_scope.hpp>
#include <weir/task.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <optional>

namespace local_lambda {

/// Moves bytes between a function and the Runtime API, over HTTP/1.1 on a free port of this machine. Strand only.
class runtime_server {
public:
  /// `api` outlives it.
  runtime_server(boost::asio::any_io_executor const& on, runtime_api& api);

  /// "127.0.0.1:1234"
  std::string address() const;
  /// Serves until it is cancelled.
  weir::task<> serve();
  /// Another process is the function from now on.
  void restart();
  /// There is another invocation.
  void offer() { offered_.cancel(); }
  /// Waits until the function has said how the invocation ended, or that it cannot start.
  weir::task<> ended();
  /// Waits until the invocation has begun.
  weir::task<> begun();

private:
  weir::task<> accept(weir::async_scope& scope);
  weir::task<> talk(boost::asio::ip::tcp::socket socket);
  weir::task<std::optional<weir::net::response>> answer_to(weir::net::request const& ask, boost::asio::ip::tcp::socket& socket);
  weir::task<> offered();
  weir::task<bool> hung_up(boost::asio::ip::tcp::socket& socket);

  runtime_api& api_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer offered_, changed_;  // never pass: cancelled, they wake who waits
};

}  // namespace local_lambda
