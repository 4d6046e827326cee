#pragma once
#include <weir/redis/options.hpp>

#include <string>
#include <string_view>

namespace weir::redis::detail {

// "127.0.0.1:6379", or the path of the socket.
std::string address_of(options const& where);

// Throws what a server's error reply means: "redis: <failed> (<address>): <the server's text>; <what to do>".
[[noreturn]] void fail(std::string_view error_reply, options const& where, std::string failed);

// Throws for a connection that cannot be made, or was lost: errc::unavailable.
[[noreturn]] void fail_to_reach(std::string why, options const& where, std::string failed);

}  // namespace weir::redis::detail
