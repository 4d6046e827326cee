#pragma once
#include "support/temporary_folder.hpp"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weir::test {

/// A PostgreSQL server of this program's own, in a temporary folder; it ends with the program, however that ends. Main thread only.
class postgres_server {
public:
  /// The one of this program, running. Null, and the running test is reported as skipped, when the machine has no server program.
  static postgres_server* running();

  /// How to connect as the superuser, by the Unix socket.
  std::string conninfo(std::string const& more = {}) const;
  /// The folder of the socket, and the port, which the TCP socket on 127.0.0.1 has too.
  std::string sockets() const { return folder_.path().string(); }
  int port() const noexcept { return port_; }

  /// Makes a folder the server's own, which may be another user's.
  static void give(std::filesystem::path const& folder);
  /// Ends all its processes as a crash of the machine would, except that what was written stays written.
  void kill();
  /// In an orderly way, cutting all connections.
  void stop();
  void start();

  postgres_server(postgres_server const&) = delete;
  postgres_server& operator=(postgres_server const&) = delete;
  ~postgres_server();

private:
  explicit postgres_server(std::filesystem::path programs);
  pid_t launch(std::vector<std::string> command);
  void wait_until_ready();

  temporary_folder folder_;
  std::filesystem::path programs_;
  int port_;
  pid_t process_ = -1;
};

}  // namespace weir::test
