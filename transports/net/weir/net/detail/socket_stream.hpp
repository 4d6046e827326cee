#pragma once
#include <weir/asio.hpp>
#include <weir/cancellation.hpp>
#include <weir/error.hpp>
#include <weir/net/byte_stream.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace weir::net::detail {

// Over a socket, or over TLS over one.
template <class Stream> class socket_stream final : public byte_stream {
public:
  explicit socket_stream(Stream stream) : stream_(std::move(stream)) {}

  task<std::size_t> read_some(std::span<char> into) override {
    auto const [failed, size] = co_await stream_.async_read_some(boost::asio::buffer(into.data(), into.size()), boost::asio::as_tuple(use));
    if (failed == boost::asio::error::eof) co_return 0;
    if (failed) fail(failed);
    co_return size;
  }
  task<> write(std::string_view bytes) override {
    auto const [failed, size] =
        co_await boost::asio::async_write(stream_, boost::asio::buffer(bytes.data(), bytes.size()), boost::asio::as_tuple(use));
    if (failed) fail(failed);
  }
  task<> close() override {
    closed_ = true;
    boost::system::error_code ignored;
    stream_.lowest_layer().close(ignored);
    co_return;
  }

private:
  [[noreturn]] void fail(boost::system::error_code const& code) const {
    if (code == boost::asio::error::operation_aborted && !closed_) weir::detail::throw_cancelled();
    bool const cut = code == boost::asio::ssl::error::stream_truncated;
    throw error(errc::unavailable, "tcp: no more can be read or written",
                cut ? std::string("the server hung up without a goodbye of TLS") : "the connection was lost: " + code.message());
  }

  Stream stream_;
  bool closed_ = false;
};

}  // namespace weir::net::detail
