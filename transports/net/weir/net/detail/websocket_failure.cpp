#include <weir/net/detail/websocket_failure.hpp>

#include <weir/cancellation.hpp>
#include <weir/net/detail/failure.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/websocket/error.hpp>

#include <algorithm>
#include <string>

namespace weir::net::detail {
namespace asio = boost::asio;
namespace ws = boost::beast::websocket;
using boost::system::error_code;

namespace {

constexpr char const* no_upgrade = "websocket: cannot open it";
constexpr std::size_t most_shown = 200;  // bytes of what a server says

bool is_websocket(error_code const& code) { return code.category() == ws::make_error_code(ws::error::closed).category(); }

// One line of it: servers put pages there.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, most_shown));
  std::replace_if(out.begin(), out.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, ' ');
  return out;
}

[[noreturn]] void fail_by_status(upgrade_reply const& reply) {
  unsigned const status = reply.result_int();
  std::string why = "the server answers with status " + std::to_string(status);
  if (!reply.body().empty()) why += ": " + shown(reply.body());
  if (status == 401 || status == 403 || status == 407)
    throw error(errc::access_denied, no_upgrade, std::move(why), "see what it wants to know, such as an Authorization header");
  if (status == 404 || status == 410) throw error(errc::not_found, no_upgrade, std::move(why), "correct the path of the URL");
  if (status == 429) throw error(errc::throttled, no_upgrade, std::move(why), "ask less often");
  if (status >= 500) throw error(errc::unavailable, no_upgrade, std::move(why));
  throw error(errc::rejected, no_upgrade, std::move(why), "see that it speaks WebSocket there, with the sub-protocols that are offered");
}

}  // namespace

void fail_to_upgrade(error_code const& code, upgrade_reply const& reply) {
  if (code == asio::error::operation_aborted) weir::detail::throw_cancelled();
  if (code == ws::error::upgrade_declined) fail_by_status(reply);
  if (is_websocket(code))
    throw error(errc::malformed, no_upgrade, "the server's answer is none of WebSocket: " + code.message(),
                "see that it speaks WebSocket there");
  fail_to_receive(code);
}

void fail_on_websocket(error_code const& code) {
  if (code == asio::error::operation_aborted) weir::detail::throw_cancelled();
  if (code == ws::error::message_too_big || code == ws::error::buffer_overflow)
    throw error(errc::too_large, "websocket: cannot take the message", "it is larger than allowed", "raise most_message");
  if (code == ws::error::closed) throw error(errc::unavailable, "websocket: cannot be used", "it is closed");
  if (is_websocket(code)) throw error(errc::malformed, "websocket: cannot read", code.message(), "see what is between here and the server");
  throw error(errc::unavailable, "websocket: cannot be used", "the connection was lost: " + code.message());
}

void judge_goodbye(ws::close_reason const& why) {
  if (why.code == ws::close_code::none || why.code == ws::close_code::normal || why.code == ws::close_code::going_away) return;
  std::string text = "the server closed it, with code " + std::to_string(why.code);
  if (!why.reason.empty()) text += ": " + shown({why.reason.data(), why.reason.size()});
  throw error(errc::unavailable, "websocket: cannot be used", std::move(text));
}

}  // namespace weir::net::detail
