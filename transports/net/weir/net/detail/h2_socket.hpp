#pragma once
#include <weir/net/detail/h2_connection.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace weir::net::detail {

// Over a socket, or over TLS over one.
template <class Stream> class h2_socket final : public h2_connection {
public:
  h2_socket(Stream stream, boost::asio::any_io_executor const& strand, http2_options const& options)
      : h2_connection(strand, options), stream_(std::move(stream)) {}

private:
  using code = boost::system::error_code;
  std::shared_ptr<h2_socket> self() { return std::static_pointer_cast<h2_socket>(shared_from_this()); }

  void read() override {
    stream_.async_read_some(room(), [me = self()](code const& failed, std::size_t size) { me->did_read(failed, size); });
  }
  void write() override {
    boost::asio::async_write(stream_, waiting(), [me = self()](code const& failed, std::size_t /*size*/) { me->did_write(failed); });
  }
  void close() noexcept override {
    code ignored;
    stream_.lowest_layer().close(ignored);
  }

  Stream stream_;
};

}  // namespace weir::net::detail
