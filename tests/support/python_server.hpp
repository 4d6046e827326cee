#pragma once
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir::test {

/// Whether there is a python3 program.
inline bool has_python() { return ::access("/usr/bin/python3", X_OK) == 0; }

/// An HTTP server of Python's standard library on a free port, a thread per connection, HTTP/1.1. It ends with this object, or with the
/// test program.
class python_server {
public:
  /// `methods`: those of a class derived from BaseHTTPRequestHandler, indented by four spaces; json and hashlib are imported.
  explicit python_server(std::string const& methods) {
    std::string const program =
        "import hashlib, http.server, json\n"
        "class Handler(http.server.BaseHTTPRequestHandler):\n"
        "    protocol_version = 'HTTP/1.1'\n"
        "    def log_message(self, *_): pass\n" +
        methods +
        "\nserver = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)\n"
        "print(server.server_address[1], flush=True)\n"
        "server.serve_forever()\n";
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    pid_t const parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      ::dup2(ends[1], 1);
      ::close(ends[0]);
      ::execl("/usr/bin/python3", "python3", "-c", program.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) port_ += c;
    ::close(ends[0]);
    if (port_.empty()) throw std::runtime_error("python3 made no server");
  }
  python_server(python_server const&) = delete;
  python_server& operator=(python_server const&) = delete;
  ~python_server() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  std::string url(std::string const& path) const { return "http://127.0.0.1:" + port_ + path; }

private:
  pid_t child_ = -1;
  std::string port_;
};

}  // namespace weir::test
