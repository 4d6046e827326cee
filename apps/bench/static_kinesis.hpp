#pragma once
#include <weir/kinesis/client_options.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace bench {

/// Kinesis as far as a benchmark needs it: a process of its own, whose work is not counted, that answers at once.
class static_kinesis {
public:
  /// The body of the answer to a request, of which the head is in lower case.
  using answer = std::function<std::string(std::string_view request)>;

  explicit static_kinesis(answer to) : to_(std::move(to)) {
    void* const shared = ::mmap(nullptr, sizeof(*requests_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    requests_ = ::new (shared) std::atomic<std::int64_t>(0);
    int const listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(listening, reinterpret_cast<sockaddr*>(&at), size) != 0 || ::listen(listening, 128) != 0 ||
        ::getsockname(listening, reinterpret_cast<sockaddr*>(&at), &size) != 0)
      throw std::runtime_error("cannot listen on the loopback address");
    port_ = ntohs(at.sin_port);
    child_ = ::fork();
    if (child_ == 0) serve(listening);
    ::close(listening);
  }
  static_kinesis(static_kinesis const&) = delete;
  static_kinesis& operator=(static_kinesis const&) = delete;
  ~static_kinesis() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  /// How it is reached.
  weir::kinesis::client_options client() const {
    static std::map<std::string, std::string> const keys{{"AWS_ACCESS_KEY_ID", "AKIDTEST"}, {"AWS_SECRET_ACCESS_KEY", "secret"}};
    weir::kinesis::client_options o;
    o.where.region = "eu-west-1";
    o.where.url = "http://127.0.0.1:" + std::to_string(port_);
    o.from = [](std::string const& name) -> std::optional<std::string> {
      auto const found = keys.find(name);
      return found == keys.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
    return o;
  }
  /// How many there have been.
  std::int64_t requests() const noexcept { return requests_->load(); }

private:
  [[noreturn]] void serve(int listening) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) {
      int const peer = ::accept(listening, nullptr, nullptr);
      if (peer >= 0) std::thread([this, peer] { answer_all(peer); }).detach();
    }
  }
  // Null: there is no whole request yet. Else its size, head and body.
  static std::optional<std::size_t> size_of(std::string& in) {
    auto const end = in.find("\r\n\r\n");
    if (end == std::string::npos) return std::nullopt;
    std::transform(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(end), in.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    auto const length = in.find("content-length:");
    std::size_t const size = end + 4 + std::stoul(in.substr(length + 15));
    return size <= in.size() ? std::optional<std::size_t>(size) : std::nullopt;
  }
  void answer_all(int peer) {
    std::string in(65'536, '\0'), pending;
    for (;;) {
      std::optional<std::size_t> size;
      while (!(size = size_of(pending))) {
        auto const n = ::read(peer, in.data(), in.size());
        if (n <= 0) return;
        pending.append(in.data(), static_cast<std::size_t>(n));
      }
      ++*requests_;
      std::string const body = to_(pending);
      std::string const reply =
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-json-1.1\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
          body;
      for (std::string_view left = reply; !left.empty();) {
        auto const n = ::write(peer, left.data(), left.size());
        if (n <= 0) return;
        left.remove_prefix(static_cast<std::size_t>(n));
      }
      pending.erase(0, *size);
    }
  }

  answer const to_;
  std::atomic<std::int64_t>* requests_;
  std::uint16_t port_ = 0;
  ::pid_t child_ = -1;
};

}  // namespace bench
