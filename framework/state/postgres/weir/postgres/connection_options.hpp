#pragma once
#include <chrono>
#include <string>
#include <utility>

namespace weir::postgres {

/// Which server, and how long to wait for it.
struct connection_options {
  connection_options() = default;
  connection_options(std::string info) : conninfo(std::move(info)) {}
  connection_options(std::string info, std::chrono::milliseconds to_connect, std::chrono::milliseconds per_statement)
      : conninfo(std::move(info)), connect_timeout(to_connect), statement_timeout(per_statement) {}

  /// As for psql: "host=db.example dbname=bars user=weir", or "postgresql://weir@db.example/bars". What it does not say comes from the
  /// environment (PGHOST, PGPASSWORD, ...) and ~/.pgpass. Its password is never shown in messages. A host that only a service file names is
  /// looked up blocking.
  std::string conninfo;
  /// For the whole of finding, connecting and logging in; > 0, default 10 s.
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
  /// The server ends a statement that takes longer, lock waits included; > 0, default 30 s. A server from which nothing is heard for 5 s
  /// more counts as lost.
  std::chrono::milliseconds statement_timeout = std::chrono::seconds(30);
};

}  // namespace weir::postgres
