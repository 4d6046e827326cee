#pragma once
#include "support/npm_package.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

namespace weir::test {

/// Whether there is a node program.
inline bool has_node() { return ::access("/usr/bin/node", X_OK) == 0; }

/// A server that a script of Node.js makes, which prints its port in a line. It ends with this object, or with the test program.
class node_server {
public:
  /// Runs in `folder`, where what it `require`s is found.
  node_server(std::filesystem::path const& folder, std::string const& script) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    pid_t const parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent || ::chdir(folder.c_str()) != 0) ::_exit(1);
      ::dup2(ends[1], 1);
      ::close(ends[0]);
      ::execl("/usr/bin/node", "node", "-e", script.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) port_ += c;
    ::close(ends[0]);
    if (port_.empty()) throw std::runtime_error("node made no server");
  }
  node_server(node_server const&) = delete;
  node_server& operator=(node_server const&) = delete;
  ~node_server() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  std::string url() const { return "http://127.0.0.1:" + port_; }

private:
  pid_t child_ = -1;
  std::string port_;
};

}  // namespace weir::test
