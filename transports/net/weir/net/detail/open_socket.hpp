#pragma once
#include <weir/net/http_options.hpp>
#include <weir/net/url.hpp>
#include <weir/task.hpp>

#include <boost/asio/ip/tcp.hpp>

namespace weir::net::detail {

struct proxy;

// A connection to the server of a URL; where there is a proxy (null: none), to that, and, for https, through it by CONNECT. All three
// outlive the task.
// Fails as `fail_to_resolve` and `fail_to_connect` say, and when the proxy refuses: errc::access_denied, throttled, unavailable, rejected.
task<boost::asio::ip::tcp::socket> open_socket(url const& to, http_options const& options, proxy const* by);

}  // namespace weir::net::detail
