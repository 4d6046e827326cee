#pragma once
#include <weir/asio.hpp>
#include <weir/error.hpp>
#include <weir/net/detail/time_limit.hpp>
#include <weir/net/detail/websocket_failure.hpp>
#include <weir/net/websocket.hpp>
#include <weir/net/websocket_options.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <string>
#include <utility>

namespace weir::net::detail {

// Over a `plain_socket` or a `secure_socket`.
template <class Stream> class websocket_over final : public websocket {
public:
  websocket_over(Stream stream, std::chrono::milliseconds close_timeout) : stream_(std::move(stream)), close_timeout_(close_timeout) {}

  // Opens it: asks the server to speak WebSocket from now on. The references outlive the task.
  task<> upgrade(std::string host, std::string target, websocket_options const& options) {
    namespace ws = boost::beast::websocket;
    namespace http = boost::beast::http;
    std::string const offered = joined(options.protocols);
    stream_.set_option(ws::stream_base::decorator([&options, &offered](ws::request_type& request) {
      for (auto const& [name, value] : options.headers) request.insert(name, value);
      if (request.find(http::field::user_agent) == request.end()) request.set(http::field::user_agent, options.http.user_agent);
      if (!offered.empty()) request.set(http::field::sec_websocket_protocol, offered);
    }));
    upgrade_reply reply;
    auto const [failed] = co_await stream_.async_handshake(reply, host, target, boost::asio::as_tuple(use));
    stream_.set_option(ws::stream_base::decorator([](ws::request_type&) {}));
    if (failed) fail_to_upgrade(failed, reply);
    auto const chosen = reply[http::field::sec_websocket_protocol];
    protocol_.assign(chosen.data(), chosen.size());
    expect_offered(options.protocols, offered);
    // No pings of its own: Beast takes a program that does not read for a peer that is gone.
    stream_.read_message_max(options.most_message);
    stream_.binary(true);
    stream_.auto_fragment(false);
    stream_.write_buffer_bytes(std::size_t{64} * 1024);
  }

  task<std::size_t> read_some(std::span<char> into) override {
    for (;;) {
      auto const [failed, size] =
          co_await stream_.async_read_some(boost::asio::buffer(into.data(), into.size()), boost::asio::as_tuple(use));
      if (failed == boost::beast::websocket::error::closed) {
        judge_goodbye(stream_.reason());
        co_return 0;
      }
      if (failed) fail(failed);
      if (size != 0 && stream_.got_text())
        throw error(errc::malformed, "websocket: cannot read", "the server sends text, and not bytes", "correct the URL");
      if (size != 0) co_return size;  // otherwise an empty message
    }
  }

  task<> write(std::string_view bytes) override {
    auto const [failed, size] = co_await stream_.async_write(boost::asio::buffer(bytes.data(), bytes.size()), boost::asio::as_tuple(use));
    if (failed) fail(failed);
  }

  task<> ping() override {
    boost::beast::websocket::ping_data const nothing;
    auto const [failed] = co_await stream_.async_ping(nothing, boost::asio::as_tuple(use));
    if (failed) fail(failed);
  }

  task<> close() override {
    context& own = co_await current_context();
    bool cancelled = false;
    {
      time_limit limited(own, close_timeout_);
      try {
        task<> closing = say_goodbye();
        co_await std::move(closing).under(limited.branch());
      } catch (error const&) {
        cancelled = own.cancelled();
      }
    }
    closed_ = true;
    boost::system::error_code ignored;
    boost::beast::get_lowest_layer(stream_).close(ignored);
    if (cancelled) weir::detail::throw_cancelled();
  }

  std::string const& protocol() const noexcept override { return protocol_; }

private:
  [[noreturn]] void fail(boost::system::error_code code) const {
    // Closing ends what is under way, which is no cancellation of that.
    if (closed_ && code == boost::asio::error::operation_aborted) code = boost::beast::websocket::error::closed;
    fail_on_websocket(code);
  }
  task<> say_goodbye() {
    auto const [failed] = co_await stream_.async_close(boost::beast::websocket::close_code::normal, boost::asio::as_tuple(use));
    (void)failed;  // it is gone either way
  }

  static std::string joined(std::vector<std::string> const& names) {
    std::string out;
    for (auto const& name : names) out.append(out.empty() ? "" : ", ").append(name);
    return out;
  }

  void expect_offered(std::vector<std::string> const& names, std::string const& offered) const {
    for (auto const& name : names)
      if (name == protocol_) return;
    if (names.empty() && protocol_.empty()) return;
    throw error(errc::incompatible, "websocket: cannot open it",
                protocol_.empty() ? "the server chose none of the sub-protocols " + offered
                                  : "the server chose the sub-protocol " + protocol_ + ", which was not offered",
                "see which ones it speaks there");
  }

  boost::beast::websocket::stream<Stream, false> stream_;  // without compression
  std::chrono::milliseconds close_timeout_;
  std::string protocol_;
  bool closed_ = false;
};

}  // namespace weir::net::detail
