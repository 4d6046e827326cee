#pragma once
#include <weir/net/http_options.hpp>
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <string_view>

namespace weir::net::detail {

struct proxy;

// Asks the proxy at the other end of a socket to connect it with the server of a URL; from then on what is written there goes to that. All
// outlive the task. Source: RFC 9110, section 9.3.6.
task<> open_tunnel(boost::asio::ip::tcp::socket& socket, url const& to, http_options const& options, proxy const& by);

// What it means that a proxy answers with another status than 2xx. `wants`: the value of its Proxy-Authenticate, where it has one.
[[noreturn]] void fail_at_proxy(unsigned status, std::string_view wants, proxy const& by);

}  // namespace weir::net::detail
