#pragma once
#include <weir/net/http_options.hpp>
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/ip/tcp.hpp>

namespace weir::net::detail {

struct proxy;

// As `open_socket`, for what is not HTTP behind the first bytes: a proxy gets a tunnel for plain connections, too.
task<boost::asio::ip::tcp::socket> open_tunnelled(url const& to, http_options const& options, proxy const* by);

}  // namespace weir::net::detail
