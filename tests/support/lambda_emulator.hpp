#pragma once
#include "support/go_program.hpp"
#include "support/skip.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace weir::test {

/// AWS' Runtime Interface Emulator with a function, which it starts at its first invocation. It ends with this object, or with the test
/// program.
class lambda_emulator {
public:
  /// `timeout`: s, of an invocation. The function has this process' environment.
  lambda_emulator(std::string const& program, std::string const& function, int timeout) {
    std::uint16_t const port = free_port(), api = free_port();
    std::string const runtime = "127.0.0.1:" + std::to_string(api), here = "127.0.0.1:" + std::to_string(port);
    std::string const seconds = std::to_string(timeout);
    pid_t const parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      int const nowhere = ::open("/dev/null", O_WRONLY);  // it and the function have much to say
      ::dup2(nowhere, 1);
      ::dup2(nowhere, 2);
      ::setenv("AWS_LAMBDA_FUNCTION_TIMEOUT", seconds.c_str(), 1);
      ::execl(program.c_str(), program.c_str(), "--runtime-api-address", runtime.c_str(), "--runtime-interface-emulator-address",
              here.c_str(), "--log-level", "error", function.c_str(), nullptr);
      ::_exit(127);
    }
    url_ = "http://" + here + "/2015-03-31/functions/function/invocations";
    for (int tries = 0; !listens(port); ++tries) {
      if (tries == 1000 || ::waitpid(child_, nullptr, WNOHANG) != 0) throw std::runtime_error("the emulator does not listen");
      ::poll(nullptr, 0, 20);
    }
  }
  lambda_emulator(lambda_emulator const&) = delete;
  lambda_emulator& operator=(lambda_emulator const&) = delete;
  ~lambda_emulator() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  /// Where to POST events, one at a time.
  std::string const& url() const noexcept { return url_; }

private:
  static sockaddr_in loopback(std::uint16_t port) noexcept {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    out.sin_port = htons(port);
    return out;
  }
  static std::uint16_t free_port() {
    int const s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = loopback(0);
    socklen_t size = sizeof at;
    bool const bound =
        ::bind(s, reinterpret_cast<sockaddr*>(&at), size) == 0 && ::getsockname(s, reinterpret_cast<sockaddr*>(&at), &size) == 0;
    ::close(s);
    if (!bound) throw std::runtime_error("no port is free");
    return ntohs(at.sin_port);
  }
  static bool listens(std::uint16_t port) {
    int const s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in const at = loopback(port);
    bool const connected = ::connect(s, reinterpret_cast<sockaddr const*>(&at), sizeof at) == 0;
    ::close(s);
    return connected;
  }

  pid_t child_ = -1;
  std::string url_;
};

/// One for a function, by Go's module of it. Null, and the running test is reported as skipped, where it cannot be had.
inline std::unique_ptr<lambda_emulator> make_lambda_emulator(std::string const& function, int timeout) {
  auto const program =
      go_program("github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie", "v0.0.0-20261030222936-bef5c4ba774d");
  if (!program) {
    skip("needs Go 1.26.6, and the module of AWS' Runtime Interface Emulator");
    return nullptr;
  }
  return std::make_unique<lambda_emulator>(program->string(), function, timeout);
}

}  // namespace weir::test
