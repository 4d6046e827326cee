#include "support/tunnel_proxy.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <mutex>
#include <thread>
#include <utility>

namespace weir::test {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct tunnel_proxy::parts {
  parts() : acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    accepting = std::thread([this] { accept_all(); });
  }

  void accept_all() {
    for (;;) {
      error_code failed;
      tcp::socket accepted = acceptor.accept(failed);
      std::lock_guard const held(lock);
      if (failed || over) return;
      sockets.push_back(accepted.native_handle());
      serving.emplace_back([this, number = sockets.size() - 1, s = std::move(accepted)]() mutable {
        serve(s);
        std::lock_guard const forgetting(lock);
        sockets[number] = -1;
      });
    }
  }

  void serve(tcp::socket& client) {
    std::string head;
    error_code failed;
    asio::read_until(client, asio::dynamic_buffer(head), "\r\n\r\n", failed);
    if (failed) return;
    {
      std::lock_guard const held(lock);
      seen.push_back(head);
    }
    std::size_t const colon = head.find(':');
    tcp::socket server(loop);
    server.connect({asio::ip::address_v4::loopback(), static_cast<std::uint16_t>(std::stoi(head.substr(colon + 1)))}, failed);
    std::string_view const answer = failed ? "HTTP/1.1 502 Bad Gateway\r\n\r\n" : "HTTP/1.1 200 Connection established\r\n\r\n";
    bool const nobody = static_cast<bool>(failed);
    asio::write(client, asio::buffer(answer), failed);
    if (!failed && !nobody) pass_on(client, server);
  }

  static void pass_on(tcp::socket& a, tcp::socket& b) {
    std::array<char, 4096> bytes{};
    error_code failed;
    while (!failed) {
      std::array<::pollfd, 2> ready{{{a.native_handle(), POLLIN, 0}, {b.native_handle(), POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), -1) < 0) return;
      for (std::size_t i = 0; i != 2 && !failed; ++i) {
        if (ready[i].revents == 0) continue;
        std::size_t const size = (i == 0 ? a : b).read_some(asio::buffer(bytes), failed);
        if (!failed) asio::write(i == 0 ? b : a, asio::buffer(bytes, size), failed);
      }
    }
  }

  asio::io_context loop;
  tcp::acceptor acceptor;
  mutable std::mutex lock;
  bool over = false;
  std::vector<int> sockets;
  std::vector<std::string> seen;
  std::vector<std::thread> serving;
  std::thread accepting;
};

tunnel_proxy::tunnel_proxy() : parts_(std::make_unique<parts>()) {}

tunnel_proxy::~tunnel_proxy() {
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

std::uint16_t tunnel_proxy::port() const noexcept { return parts_->acceptor.local_endpoint().port(); }

std::vector<std::string> tunnel_proxy::seen() const {
  std::lock_guard const held(parts_->lock);
  return parts_->seen;
}

}  // namespace weir::test
