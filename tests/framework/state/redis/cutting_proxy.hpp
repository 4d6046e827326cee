#pragma once
#include "support/temporary_folder.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weir::test {

/// What happens to a request that runs a script.
enum class script_fate {
  pass,
  lose_request,  ///< the connection is cut, and the server has seen nothing
  tear_request,  ///< it is cut in the middle of the request
  lose_reply,    ///< it is cut when the server has answered, and nobody sees the answer
  tear_reply,    ///< after the first byte of the answer
  hurry,         ///< it is cut when the request has gone to the server, which may still be at it
  swallow,       ///< nothing is answered, and nothing is cut
  answer,        ///< by the proxy: see `answers_with`
};

/// Stands between a store and a server, over unix sockets, and does to script requests what a test wants, one fate after the other.
class cutting_proxy {
public:
  explicit cutting_proxy(std::string server) : server_(std::move(server)), listener_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un const at = address(socket());
    if (::bind(listener_, reinterpret_cast<sockaddr const*>(&at), sizeof at) != 0 || ::listen(listener_, 16) != 0)
      throw std::runtime_error("proxy: cannot listen");
    acceptor_ = std::thread([this] { accept_all(); });
  }
  cutting_proxy(cutting_proxy const&) = delete;
  cutting_proxy& operator=(cutting_proxy const&) = delete;
  ~cutting_proxy() {
    ended_ = true;
    acceptor_.join();
    for (auto& t : threads_) t.join();
    ::close(listener_);
  }
  std::string socket() const { return folder_.file("p"); }

  /// Of the next script requests, in turn; then they pass.
  void next(std::vector<script_fate> fates) {
    std::lock_guard const held(lock_);
    fates_ = std::move(fates);
  }
  void answers_with(std::string reply) {
    std::lock_guard const held(lock_);
    answer_ = std::move(reply);
  }
  /// Runs before each script request goes on, on the proxy's thread.
  void before_each(std::function<void()> f) {
    std::lock_guard const held(lock_);
    before_ = std::move(f);
  }
  int scripts() const { return scripts_; }

private:
  static sockaddr_un address(std::string const& path) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::memcpy(at.sun_path, path.c_str(), path.size() + 1);
    return at;
  }
  static bool readable(int fd) {
    pollfd p{fd, POLLIN, 0};
    return ::poll(&p, 1, 5) > 0;
  }
  static void write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t const n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  // Null: the other side has ended.
  static std::string read_some(int fd) {
    std::string out(64 * 1024, '\0');
    ssize_t const n = ::recv(fd, out.data(), out.size(), 0);
    out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return out;
  }

  void accept_all() {
    while (!ended_) {
      if (!readable(listener_)) continue;
      int const client = ::accept(listener_, nullptr, nullptr);
      int const server = ::socket(AF_UNIX, SOCK_STREAM, 0);
      sockaddr_un const at = address(server_);
      if (::connect(server, reinterpret_cast<sockaddr const*>(&at), sizeof at) != 0) {
        ::close(client);
        ::close(server);
        continue;
      }
      threads_.emplace_back([this, client, server] {
        serve(client, server);
        ::close(client);
        ::close(server);
      });
    }
  }

  std::pair<script_fate, std::function<void()>> take() {
    std::lock_guard const held(lock_);
    ++scripts_;
    if (fates_.empty()) return {script_fate::pass, before_};
    script_fate const f = fates_.front();
    fates_.erase(fates_.begin());
    return {f, before_};
  }

  void serve(int client, int server) {
    while (!ended_) {
      if (readable(server)) {
        std::string const bytes = read_some(server);
        if (bytes.empty()) return;
        write_all(client, bytes);
      }
      if (!readable(client)) continue;
      std::string const bytes = read_some(client);
      if (bytes.empty()) return;
      if (bytes.find("\r\nEVALSHA\r\n") == std::string::npos && bytes.find("\r\nEVAL\r\n") == std::string::npos) {
        write_all(server, bytes);
        continue;
      }
      auto const [fate, before] = take();
      if (before) before();
      switch (fate) {
        case script_fate::pass: write_all(server, bytes); break;
        case script_fate::lose_request: return;
        case script_fate::tear_request: write_all(server, std::string_view(bytes).substr(0, bytes.size() / 2)); return;
        case script_fate::hurry: write_all(server, bytes); return;
        case script_fate::swallow: break;
        case script_fate::answer: {
          std::lock_guard const held(lock_);
          write_all(client, answer_);
          break;
        }
        case script_fate::lose_reply:
        case script_fate::tear_reply:
          write_all(server, bytes);
          while (!ended_ && !readable(server)) {}
          if (fate == script_fate::tear_reply) write_all(client, read_some(server).substr(0, 1));
          return;
      }
    }
  }

  std::string server_;
  temporary_folder folder_;
  int listener_;
  std::atomic<bool> ended_ = false;
  std::atomic<int> scripts_ = 0;
  std::mutex lock_;
  std::vector<script_fate> fates_;
  std::string answer_;
  std::function<void()> before_;
  std::thread acceptor_;
  std::vector<std::thread> threads_;
};

}  // namespace weir::test
