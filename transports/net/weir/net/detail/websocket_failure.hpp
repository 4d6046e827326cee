#pragma once
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <boost/system/error_code.hpp>

namespace weir::net::detail {

using upgrade_reply = boost::beast::http::response<boost::beast::http::string_body>;

// What goes wrong with a WebSocket, in our codes: access_denied, not_found, throttled, unavailable, rejected, malformed, too_large. None
// has the origin in it yet. Cancellation passes through as such.
[[noreturn]] void fail_to_upgrade(boost::system::error_code const& code, upgrade_reply const& reply);
// While it was read or written.
[[noreturn]] void fail_on_websocket(boost::system::error_code const& code);
// The server has closed it: nothing where that is as it should be.
void judge_goodbye(boost::beast::websocket::close_reason const& why);

}  // namespace weir::net::detail
