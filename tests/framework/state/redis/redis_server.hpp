#pragma once
#include <weir/redis/options.hpp>

#include "support/temporary_folder.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weir::test {

/// Whether there is a redis-server program.
inline bool has_redis() { return ::access("/usr/bin/redis-server", X_OK) == 0; }

/// A port that nobody listens on at the moment.
inline std::uint16_t free_port() {
  int const s = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  bool const bound =
      ::bind(s, reinterpret_cast<sockaddr*>(&at), size) == 0 && ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &size) == 0;
  ::close(s);
  if (!bound) throw std::runtime_error("no free port");
  return ::ntohs(at.sin_port);
}

/// A Redis server of a test, in a folder of its own; it ends with this object, or with the test program.
class redis_server {
public:
  explicit redis_server(std::vector<std::string> more = {}) : more_(std::move(more)), port_(free_port()) { start(); }
  redis_server(redis_server const&) = delete;
  redis_server& operator=(redis_server const&) = delete;
  ~redis_server() { kill(); }

  /// Patient: a busy machine is not what is tested.
  redis::options options() const {
    return {.socket = socket(), .reply_timeout = std::chrono::minutes(5), .patience = std::chrono::minutes(10)};
  }
  std::string socket() const { return folder_.file("s"); }
  std::uint16_t port() const noexcept { return port_; }
  temporary_folder const& folder() const noexcept { return folder_; }

  /// kill -9.
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(std::exchange(child_, -1), nullptr, 0);
  }
  void launch() {
    std::vector<std::string> words{
        "redis-server", "--port", std::to_string(port_), "--bind",  "127.0.0.1", "--unixsocket", socket(), "--dir", folder_.path().string(),
        "--save",       "",       "--loglevel",          "warning", "--logfile", "log"};
    words.insert(words.end(), more_.begin(), more_.end());
    std::vector<char*> arguments;
    for (auto& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    ::unlink(socket().c_str());
    pid_t const parent = ::getpid();
    child_ = ::fork();
    if (child_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::execv("/usr/bin/redis-server", arguments.data());
    ::_exit(127);
  }
  /// False: it has ended before it answered.
  bool wait_until_ready() {
    for (;;) {
      std::unique_ptr<redisContext, void (*)(redisContext*)> const c(redisConnectUnix(socket().c_str()), redisFree);
      if (c && c->err == 0) {
        auto* const r = static_cast<redisReply*>(redisCommand(c.get(), "PING"));
        bool const ready = r && (r->type == REDIS_REPLY_STATUS || std::string(r->str, r->len).starts_with("NOAUTH"));
        if (r) freeReplyObject(r);
        if (ready) return true;
      }
      if (::waitpid(child_, nullptr, WNOHANG) == child_) {
        child_ = -1;
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a process, which no clock of ours reaches
    }
  }
  void start() {
    launch();
    if (!wait_until_ready()) throw std::runtime_error("redis-server ended: " + folder_.read("log"));
  }

  /// Runs a command, blocking, by hiredis' own client. Lists come back as "a b c"; "(nil)" for nothing.
  std::string operator()(std::vector<std::string> const& words) const {
    std::unique_ptr<redisContext, void (*)(redisContext*)> const c(redisConnectUnix(socket().c_str()), redisFree);
    std::vector<char const*> at;
    std::vector<std::size_t> sizes;
    for (auto const& w : words) {
      at.push_back(w.data());
      sizes.push_back(w.size());
    }
    auto* const r = static_cast<redisReply*>(redisCommandArgv(c.get(), static_cast<int>(words.size()), at.data(), sizes.data()));
    if (!r) throw std::runtime_error("redis: " + std::string(c->errstr));
    std::string const out = text(*r);
    freeReplyObject(r);
    return out;
  }

private:
  static std::string text(redisReply const& r) {
    if (r.type == REDIS_REPLY_NIL) return "(nil)";
    if (r.type == REDIS_REPLY_INTEGER) return std::to_string(r.integer);
    if (r.type != REDIS_REPLY_ARRAY) return {r.str, r.len};
    std::string out;
    for (std::size_t i = 0; i != r.elements; ++i) out += (i ? " " : "") + text(*r.element[i]);
    return out;
  }

  std::vector<std::string> more_;
  temporary_folder folder_;
  std::uint16_t port_;
  pid_t child_ = -1;
};

/// One server for all tests that do not kill it, empty and as it was configured at first.
inline redis_server& shared_redis() {
  static redis_server server;
  server({"FLUSHALL"});
  return server;
}

}  // namespace weir::test
