#pragma once
#include <weir/asio.hpp>
#include <weir/net/detail/connection.hpp>
#include <weir/net/detail/failure.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

namespace weir::net::detail {

// Over a socket, or over TLS over one.
template <class Stream> class stream_connection final : public connection {
public:
  template <class... A> explicit stream_connection(A&&... a) : stream_(std::forward<A>(a)...) {}
  Stream& stream() noexcept { return stream_; }

  task<response> ask(message const& m, http_options const& limits) override {
    namespace http = boost::beast::http;
    using boost::asio::as_tuple;
    heard_ = reusable_ = false;
    buffer_.reserve(std::size_t{64} * 1024);  // Beast reads no more at a time than there is room for, and makes room for 512 bytes
    // A server may answer before it has all, and then close: the answer is worth more than the failure to send.
    auto const [not_sent, sent] = co_await http::async_write(stream_, m, as_tuple(use));
    if (not_sent == boost::asio::error::operation_aborted) weir::detail::throw_cancelled();
    for (;;) {
      http::response_parser<http::string_body> parser;
      parser.header_limit(static_cast<std::uint32_t>(limits.most_header));
      parser.body_limit(limits.most_body);
      if (m.method() == http::verb::head) parser.skip(true);
      auto const [failed, size] = co_await http::async_read(stream_, buffer_, parser, as_tuple(use));
      heard_ = heard_ || parser.got_some();
      if (failed) fail_to_receive(failed);
      unsigned const status = parser.get().result_int();
      if (status < 100 || status == 101) throw_odd(status);
      if (status < 200) continue;  // an interim reply: RFC 9110, section 15.2
      reusable_ = !not_sent && parser.keep_alive() && buffer_.size() == 0;
      co_return taken(parser.release());
    }
  }

  bool heard() const noexcept override { return heard_; }
  bool reusable() const noexcept override { return reusable_; }
  bool quiet() noexcept override {
    char byte = 0;
    return ::recv(socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
  }
  boost::asio::any_io_executor executor() noexcept override { return socket().get_executor(); }

private:
  auto& socket() noexcept { return stream_.lowest_layer(); }

  [[noreturn]] static void throw_odd(unsigned status) {
    throw error(errc::malformed, "http: cannot read the reply", "its status is " + std::to_string(status) + ", which was not asked for");
  }

  template <class Message> static response taken(Message m) {
    response out;
    out.status = m.result_int();
    for (auto const& f : m.base()) out.headers.add(std::string(f.name_string()), std::string(f.value()));
    out.body = std::move(m.body());
    return out;
  }

  Stream stream_;
  boost::beast::flat_buffer buffer_;
  bool heard_ = false, reusable_ = false;
};

}  // namespace weir::net::detail
