#include "support/websocket_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <sys/socket.h>

#include <array>
#include <mutex>
#include <thread>

namespace weir::test {
namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace ws = boost::beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

template <class Stream> class peer_over final : public websocket_peer {
public:
  explicit peer_over(Stream& stream) : stream_(stream) {
    stream_.control_callback([this](ws::frame_type kind, boost::beast::string_view payload) {
      if (kind == ws::frame_type::pong) pongs.emplace_back(payload);
      if (kind == ws::frame_type::ping) pings.emplace_back(payload);
    });
  }
  bool accept(http::request<http::string_body> const& asked, std::string const& protocol) {
    stream_.set_option(ws::stream_base::decorator([&](ws::response_type& answer) {
      if (!protocol.empty()) answer.set(http::field::sec_websocket_protocol, protocol);
    }));
    error_code failed;
    stream_.accept(asked, failed);
    return !failed;
  }
  std::optional<std::string> read() override {
    boost::beast::flat_buffer buffer;
    error_code failed;
    stream_.read(buffer, failed);
    if (failed) return std::nullopt;
    return std::string(static_cast<char const*>(buffer.data().data()), buffer.size());
  }
  void write(std::string const& message) override { write_in_frames(message, 0); }
  void write_in_frames(std::string const& message, std::size_t bytes) override {
    error_code failed;
    stream_.binary(true);
    stream_.auto_fragment(bytes != 0);
    if (bytes != 0) stream_.write_buffer_bytes(bytes);
    stream_.write(asio::buffer(message), failed);
  }
  void text(std::string const& message) override {
    error_code failed;
    stream_.text(true);
    stream_.write(asio::buffer(message), failed);
  }
  void ping(std::string const& payload) override {
    error_code failed;
    stream_.ping(ws::ping_data(payload), failed);
  }
  void close(std::uint16_t code, std::string const& reason) override {
    error_code failed;
    stream_.close(ws::close_reason(static_cast<ws::close_code>(code), reason), failed);
  }
  void raw(std::string const& bytes) override {
    error_code failed;
    asio::write(stream_.next_layer(), asio::buffer(bytes), failed);
  }
  void hold() override {
    error_code failed;
    std::array<char, 4096> room{};
    while (!failed) stream_.next_layer().read_some(asio::buffer(room), failed);
  }

private:
  Stream& stream_;
};

}  // namespace

struct websocket_server::parts {
  parts(function f, options o)
      : serve(std::move(f)), how(std::move(o)), acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    if (how.secure) {
      tls.emplace(asio::ssl::context::tls_server);
      tls->use_certificate_chain(asio::buffer(how.secure->chain));
      tls->use_private_key(asio::buffer(how.secure->key), asio::ssl::context::pem);
    }
    accepting = std::thread([this] { accept_all(); });
  }

  void accept_all() {
    for (;;) {
      error_code failed;
      tcp::socket accepted = acceptor.accept(failed);
      std::lock_guard const held(lock);
      if (failed || over) return;
      std::size_t const number = sockets.size();
      sockets.push_back(accepted.native_handle());
      serving.emplace_back([this, number, s = std::move(accepted)]() mutable { serve_one(std::move(s), number); });
    }
  }
  void serve_one(tcp::socket socket, std::size_t number) {
    error_code failed;
    if (tls) {
      ws::stream<asio::ssl::stream<tcp::socket>> stream(std::move(socket), *tls);
      stream.next_layer().handshake(asio::ssl::stream_base::server, failed);
      if (!failed) serve_over(stream);
      forget(number);
    } else {
      ws::stream<tcp::socket> stream(std::move(socket));
      serve_over(stream);
      forget(number);
    }
  }
  void forget(std::size_t number) {
    std::lock_guard const held(lock);
    sockets[number] = -1;
  }
  template <class Stream> void serve_over(Stream& stream) {
    boost::beast::flat_buffer buffer;
    error_code failed;
    http::request<http::string_body> asked;
    http::read(stream.next_layer(), buffer, asked, failed);
    if (failed) return;
    note(asked);
    peer_over<Stream> peer(stream);
    if (how.silent) return peer.hold();
    if (!how.instead.empty()) return peer.raw(how.instead);
    if (peer.accept(asked, how.protocol)) serve(peer);
  }
  void note(http::request<http::string_body> const& asked) {
    std::map<std::string, std::string> fields{{":target", std::string(asked.target())}};
    for (auto const& f : asked) {
      std::string name(f.name_string());
      for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
      fields[name] = std::string(f.value());
    }
    std::lock_guard const held(lock);
    seen.push_back(std::move(fields));
  }

  function const serve;
  options const how;
  asio::io_context loop;
  tcp::acceptor acceptor;
  std::optional<asio::ssl::context> tls;
  mutable std::mutex lock;
  bool over = false;
  std::vector<int> sockets;
  std::vector<std::map<std::string, std::string>> seen;
  std::vector<std::thread> serving;
  std::thread accepting;
};

websocket_server::websocket_server(function serve) : websocket_server(std::move(serve), options()) {}
websocket_server::websocket_server(function serve, options o) : parts_(std::make_unique<parts>(std::move(serve), std::move(o))) {}

websocket_server::~websocket_server() {
  {
    std::lock_guard const held(parts_->lock);
    parts_->over = true;
    for (int const s : parts_->sockets)
      if (s >= 0) ::shutdown(s, SHUT_RDWR);
  }
  ::shutdown(parts_->acceptor.native_handle(), SHUT_RDWR);  // wakes accept
  parts_->accepting.join();
  for (std::thread& t : parts_->serving) t.join();
}

std::uint16_t websocket_server::port() const noexcept { return parts_->acceptor.local_endpoint().port(); }
std::string websocket_server::url(std::string const& path, std::string const& host) const {
  return (parts_->tls ? "wss://" : "ws://") + host + ':' + std::to_string(port()) + path;
}
std::vector<std::map<std::string, std::string>> websocket_server::seen() const {
  std::lock_guard const held(parts_->lock);
  return parts_->seen;
}

}  // namespace weir::test
