#include "framework/state/postgres/cutting_proxy.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <list>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {
namespace {

sockaddr_un address(std::string const& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.size() >= sizeof out.sun_path) throw std::runtime_error("the path of the socket is too long");
  std::memcpy(out.sun_path, path.c_str(), path.size() + 1);
  return out;
}

int connect_to(std::string const& path) {
  sockaddr_un const at = address(path);
  int const fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(fd, reinterpret_cast<sockaddr const*>(&at), sizeof at) == 0) return fd;
  ::close(fd);
  return -1;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

constexpr std::string_view commit("COMMIT\0", 7);  // as the text of a statement, and as the tag of its completion

}  // namespace

struct cutting_proxy::pair {
  int client, server;
  bool doomed = false;  // at the reply to COMMIT
  bool silent = false;
};

cutting_proxy::cutting_proxy(std::string server_sockets, int port)
    : server_(std::move(server_sockets) + "/.s.PGSQL." + std::to_string(port)), port_(port) {
  sockaddr_un const at = address(folder_.file(".s.PGSQL." + std::to_string(port)));
  listening_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::bind(listening_, reinterpret_cast<sockaddr const*>(&at), sizeof at) != 0 || ::listen(listening_, 16) != 0 || ::pipe(wake_) != 0)
    throw std::runtime_error("cannot listen");
  thread_ = std::thread([this] { serve(); });
}

cutting_proxy::~cutting_proxy() {
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
  ::close(listening_);
}

std::string cutting_proxy::conninfo() const {
  return "host=" + folder_.path().string() + " port=" + std::to_string(port_) + " user=weir dbname=postgres";
}

bool cutting_proxy::from_client(pair& p) {
  std::array<char, 65536> bytes;
  ssize_t const n = ::read(p.client, bytes.data(), bytes.size());
  if (n <= 0) return false;
  std::string_view const got(bytes.data(), static_cast<std::size_t>(n));
  cut const how = next_;
  if (how == cut::none || got.find(commit) == std::string_view::npos) return p.silent || write_all(p.server, got);
  if (how == cut::before_commit || how == cut::with_commit) {
    if (how == cut::with_commit) write_all(p.server, got);
    next_ = cut::none;
    return false;
  }
  if (how == cut::silence) {
    p.silent = true;
    next_ = cut::none;
    return true;
  }
  p.doomed = true;
  return write_all(p.server, got);
}

bool cutting_proxy::from_server(pair& p) {
  std::array<char, 65536> bytes;
  ssize_t const n = ::read(p.server, bytes.data(), bytes.size());
  if (n <= 0) return false;
  std::string_view const got(bytes.data(), static_cast<std::size_t>(n));
  if (p.doomed && got.find(commit) != std::string_view::npos) {
    next_ = cut::none;
    return false;
  }
  return p.silent || write_all(p.client, got);
}

void cutting_proxy::serve() {
  std::list<pair> pairs;
  for (;;) {
    std::vector<pollfd> watched{{wake_[0], POLLIN, 0}, {listening_, POLLIN, 0}};
    for (pair const& p : pairs) {
      watched.push_back({p.client, POLLIN, 0});
      watched.push_back({p.server, POLLIN, 0});
    }
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;
    if (watched[0].revents != 0) break;
    std::size_t at = 2;
    for (auto p = pairs.begin(); p != pairs.end(); at += 2) {
      bool const goes_on = (watched[at].revents == 0 || from_client(*p)) && (watched[at + 1].revents == 0 || from_server(*p));
      if (goes_on) {
        ++p;
        continue;
      }
      ::close(p->client);
      ::close(p->server);
      p = pairs.erase(p);
    }
    if (watched[1].revents == 0) continue;
    int const client = ::accept(listening_, nullptr, nullptr);
    int const server = connect_to(server_);
    if (server < 0) ::close(client);
    else pairs.push_back({client, server});
  }
  for (pair const& p : pairs) {
    ::close(p.client);
    ::close(p.server);
  }
}

}  // namespace weir::test
