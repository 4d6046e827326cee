#pragma once
#include <weir/error.hpp>

#include <boost/system/error_code.hpp>

#include <string>
#include <string_view>

namespace weir::net::detail {

// What goes wrong on the way to a server, in our codes: connection refused keeps the system's; not_found, timed_out, access_denied,
// unavailable, malformed, too_large. None has the origin in it yet. Cancellation passes through as such.
[[noreturn]] void fail_to_resolve(boost::system::error_code const& code, std::string const& host);
[[noreturn]] void fail_to_connect(boost::system::error_code const& code);
// `verified`: what OpenSSL says of the certificate; empty: nothing is wrong with it.
[[noreturn]] void fail_to_secure(boost::system::error_code const& code, std::string_view verified);
[[noreturn]] void fail_to_receive(boost::system::error_code const& code);
// `what` was not done within the limit.
[[noreturn]] void fail_in_time(std::string_view what, long long milliseconds, std::string_view option);

}  // namespace weir::net::detail
