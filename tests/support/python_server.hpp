#pragma once
#include "support/child_program.hpp"

#include <unistd.h>

#include <stdexcept>
#include <string>

namespace weir::test {

/// Whether there is a python3 program.
inline bool has_python() { return ::access("/usr/bin/python3", X_OK) == 0; }

/// An HTTP server of Python's standard library on a free port, a thread per connection, HTTP/1.1. It ends with this object, or with the
/// test program.
class python_server {
public:
  /// `methods`: those of a class derived from BaseHTTPRequestHandler, indented by four spaces; json and hashlib are imported.
  explicit python_server(std::string const& methods)
      : python_("/", {"/usr/bin/python3", "-c",
                      "import hashlib, http.server, json\n"
                      "class Handler(http.server.BaseHTTPRequestHandler):\n"
                      "    protocol_version = 'HTTP/1.1'\n"
                      "    def log_message(self, *_): pass\n" +
                          methods +
                          "\nserver = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)\n"
                          "print(server.server_address[1], flush=True)\n"
                          "server.serve_forever()\n"}),
        port_(python_.read_line()) {
    if (port_.empty()) throw std::runtime_error("python3 made no server");
  }
  std::string url(std::string const& path) const { return "http://127.0.0.1:" + port_ + path; }

private:
  child_program python_;
  std::string port_;
};

}  // namespace weir::test
