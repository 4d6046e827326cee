#pragma once
#include <weir/task.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::net::detail {

// The addresses of a host; not empty. Cancelled, it ends at once, though the system's resolver cannot be stopped and goes on alone.
task<std::vector<boost::asio::ip::tcp::endpoint>> resolve(std::string host, std::uint16_t port);

}  // namespace weir::net::detail
