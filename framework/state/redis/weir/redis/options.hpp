#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace weir::redis {

/// Where the server is, and how patient to be with it: `{.host = "state.internal", .password = secret}`.
struct options {
  std::string host = "127.0.0.1";  ///< a name or an address
  std::uint16_t port = 6379;
  std::string socket;          ///< the path of a unix socket, in place of host and port
  std::string user;            ///< of Redis' access lists; empty: "default"
  std::string password;        ///< empty: no AUTH is sent
  unsigned database = 0;       ///< SELECT
  std::string space = "weir";  ///< every key begins with it and a colon; letters, digits, '.', '_', '-'

  std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);  ///< for a connection, > 0
  std::chrono::milliseconds reply_timeout = std::chrono::seconds(30);   ///< for the next bytes of a reply, > 0
  /// How long a call goes on trying while the server cannot be reached, restarts or asks for patience; >= 0, 0 tries once.
  std::chrono::milliseconds patience = std::chrono::seconds(30);

  /// Replicas that must have a commit in their memory before it returns (WAIT); 0 asks none. A commit that not so many confirm within the
  /// reply timeout fails with `errc::unavailable`, though the server has it.
  unsigned replicas = 0;
};

}  // namespace weir::redis
