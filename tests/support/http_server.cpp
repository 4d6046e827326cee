#include "support/http_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <sys/socket.h>

#include <cstdint>
#include <mutex>
#include <thread>

namespace weir::test {
namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

struct http_server::parts {
  parts(std::vector<http_answer> s, std::optional<certificate> c, std::string u, function a)
      : script(std::move(s)),
        unwanted(std::move(u)),
        ask(std::move(a)),
        acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    if (c) {
      tls.emplace(asio::ssl::context::tls_server);
      tls->use_certificate_chain(asio::buffer(c->chain));
      tls->use_private_key(asio::buffer(c->key), asio::ssl::context::pem);
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
      serving.emplace_back([this, number, s = std::move(accepted)]() mutable { serve(std::move(s), number); });
    }
  }

  void serve(tcp::socket socket, std::size_t number) {
    auto const forget = [&] {
      std::lock_guard const held(lock);
      sockets[number] = -1;
    };
    error_code failed;
    if (tls) {
      asio::ssl::stream<tcp::socket> stream(std::move(socket), *tls);
      stream.handshake(asio::ssl::stream_base::server, failed);
      if (!failed) serve_over(stream, number);
      forget();
    } else {
      serve_over(socket, number);
      forget();
    }
  }

  template <class Stream> void serve_over(Stream& stream, std::size_t number) {
    boost::beast::flat_buffer buffer;
    for (;;) {
      error_code failed;
      http::request_parser<http::string_body> parser;
      parser.body_limit(std::uint64_t{64} * 1024 * 1024);
      http::read(stream, buffer, parser, failed);
      if (failed) return;
      http_answer const answer = note(parser.get(), number);
      if (answer.delay.count() != 0) std::this_thread::sleep_for(answer.delay);
      asio::write(stream, asio::buffer(answer.bytes), failed);
      if (failed || answer.next == http_answer::then::close) return;
      char byte = 0;
      while (answer.next == http_answer::then::hold && !failed) stream.read_some(asio::buffer(&byte, 1), failed);
    }
  }

  http_answer note(http::request<http::string_body> const& m, std::size_t number) {
    seen_request r;
    r.method = std::string(m.method_string());
    r.target = std::string(m.target());
    r.body = m.body();
    r.connection = number;
    for (auto const& f : m.base()) {
      std::string name(f.name_string());
      for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
      r.headers[name] = std::string(f.value());
    }
    std::lock_guard const held(lock);
    if (ask) return ask(r);
    seen.push_back(std::move(r));
    if (!unwanted.empty() && m.body().find(unwanted) != std::string::npos) return http_answer::of(422, "unwanted");
    return seen.size() <= script.size() ? script[seen.size() - 1] : http_answer::of(200, "ok");
  }

  std::vector<http_answer> const script;
  std::string const unwanted;
  function const ask;
  asio::io_context loop;
  tcp::acceptor acceptor;
  std::optional<asio::ssl::context> tls;
  mutable std::mutex lock;
  bool over = false;
  std::vector<int> sockets;
  std::vector<seen_request> seen;
  std::vector<std::thread> serving;
  std::thread accepting;
};

http_server::http_server(std::vector<http_answer> script, std::optional<certificate> secure, std::string unwanted)
    : parts_(std::make_unique<parts>(std::move(script), std::move(secure), std::move(unwanted), function())) {}
http_server::http_server(std::unique_ptr<parts> p) : parts_(std::move(p)) {}
http_server http_server::answering(function by, std::optional<certificate> secure) {
  return http_server(std::make_unique<parts>(std::vector<http_answer>(), std::move(secure), std::string(), std::move(by)));
}

http_server::~http_server() {
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

std::uint16_t http_server::port() const noexcept { return parts_->acceptor.local_endpoint().port(); }
std::string http_server::url(std::string const& path, std::string const& host) const {
  return (parts_->tls ? "https://" : "http://") + host + ':' + std::to_string(port()) + path;
}
std::vector<seen_request> http_server::seen() const {
  std::lock_guard const held(parts_->lock);
  return parts_->seen;
}
std::size_t http_server::connections() const {
  std::lock_guard const held(parts_->lock);
  return parts_->sockets.size();
}

}  // namespace weir::test
