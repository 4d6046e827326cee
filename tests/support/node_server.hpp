#pragma once
#include "support/child_program.hpp"
#include "support/npm_package.hpp"

#include <unistd.h>

#include <stdexcept>
#include <string>

namespace weir::test {

/// Whether there is a node program.
inline bool has_node() { return ::access("/usr/bin/node", X_OK) == 0; }

/// A server that a script of Node.js makes, which prints its port in a line. It ends with this object, or with the test program.
class node_server {
public:
  /// Runs in `folder`, where what it `require`s is found.
  node_server(std::filesystem::path const& folder, std::string const& script)
      : node_(folder, {"/usr/bin/node", "-e", script}), port_(node_.read_line()) {
    if (port_.empty()) throw std::runtime_error("node made no server");
  }
  std::string url() const { return "http://127.0.0.1:" + port_; }

private:
  child_program node_;
  std::string port_;
};

}  // namespace weir::test
