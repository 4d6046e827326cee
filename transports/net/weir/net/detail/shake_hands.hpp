#pragma once
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <string>

namespace weir::net::detail {

// Makes a connection secure: the server has to prove that it is the URL's host. `protocol`: what it has to agree to speak over it (ALPN),
// or it fails with errc::incompatible; empty: it is not asked. Both references outlive the task.
task<> shake_hands(boost::asio::ssl::stream<boost::asio::ip::tcp::socket>& stream, url const& to, std::string protocol);

}  // namespace weir::net::detail
