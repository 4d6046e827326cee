#pragma once
#include <weir/asio.hpp>
#include <weir/net/detail/connection.hpp>
#include <weir/net/detail/failure.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/write.hpp>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
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
    auto const [not_sent, sent] = co_await http::async_write(stream_, m, as_tuple(use));
    task<response> replying = reply_to(m, not_sent, limits);
    co_return co_await std::move(replying);
  }

  task<response> ask(message const& head, streamed_request& of, http_options const& limits) override {
    heard_ = reusable_ = false;
    std::string_view const* piece = co_await of.body.next();
    task<boost::system::error_code> beginning = send_head(head);
    boost::system::error_code not_sent = co_await std::move(beginning);
    while (!not_sent && piece != nullptr) {
      if (!piece->empty()) {
        auto const chunk = boost::beast::http::make_chunk(boost::asio::buffer(*piece));
        auto const [failed, size] = co_await boost::asio::async_write(stream_, chunk, boost::asio::as_tuple(use));
        not_sent = failed;
      }
      if (!not_sent) piece = co_await of.body.next();
    }
    if (!not_sent) {
      task<boost::system::error_code> ending = send_end(of);
      not_sent = co_await std::move(ending);
    }
    task<response> replying = reply_to(head, not_sent, limits);
    co_return co_await std::move(replying);
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

  task<boost::system::error_code> send_head(message const& head) {
    boost::beast::http::request_serializer<boost::beast::http::string_body> out(head);
    auto const [failed, size] = co_await boost::beast::http::async_write_header(stream_, out, boost::asio::as_tuple(use));
    co_return failed;
  }
  // The last chunk, and trailers.
  task<boost::system::error_code> send_end(streamed_request const& of) {
    boost::beast::http::fields trailers;
    if (of.trailers) {
      for (auto const& [name, value] : of.trailers()) trailers.insert(name, value);
    }
    auto const end = boost::beast::http::make_chunk_last(trailers);
    auto const [failed, size] = co_await boost::asio::async_write(stream_, end, boost::asio::as_tuple(use));
    co_return failed;
  }

  // A server may answer before it has all, and then close: the answer is worth more than the failure to send.
  task<response> reply_to(message const& m, boost::system::error_code not_sent, http_options const& limits) {
    namespace http = boost::beast::http;
    using boost::asio::as_tuple;
    if (not_sent == boost::asio::error::operation_aborted) weir::detail::throw_cancelled();
    buffer_.reserve(std::size_t{64} * 1024);  // Beast reads no more at a time than there is room for, and makes room for 512 bytes
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
