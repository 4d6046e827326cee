#pragma once
#include "support/certificate.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// A client of a server, whose calls wait. What fails ends the connection.
class websocket_peer {
public:
  virtual ~websocket_peer() = default;
  /// The next message, or the rest of one that was begun; null: the client has closed it, or is gone.
  virtual std::optional<std::string> read() = 0;
  virtual void write(std::string const& message) = 0;
  /// A message in frames of that many bytes, from 8.
  virtual void write_in_frames(std::string const& message, std::size_t bytes) = 0;
  virtual void text(std::string const& message) = 0;
  virtual void ping(std::string const& payload) = 0;
  virtual void close(std::uint16_t code, std::string const& reason) = 0;
  /// Bytes past WebSocket.
  virtual void raw(std::string const& bytes) = 0;
  /// Swallows what comes, and says nothing, until the client is gone.
  virtual void hold() = 0;
  /// Payloads of the pongs and pings that came with what was read.
  std::vector<std::string> pongs, pings;
};

/// A server of WebSocket on a free port of this machine, in threads of its own: calls a function for each client, and hangs up on it when
/// that returns. With a certificate it speaks TLS.
class websocket_server {
public:
  using function = std::function<void(websocket_peer&)>;
  struct options {
    std::optional<certificate> secure = {};
    std::string protocol = {};  ///< what it chooses, whatever is offered; empty: nothing
    std::string instead = {};   ///< an answer of HTTP in place of the upgrade, as it is
    bool silent = false;        ///< reads the request and does not answer
  };
  explicit websocket_server(function serve);
  websocket_server(function serve, options o);
  websocket_server(websocket_server const&) = delete;
  websocket_server& operator=(websocket_server const&) = delete;
  /// Hangs up on all.
  ~websocket_server();

  std::string url(std::string const& path = "/", std::string const& host = "127.0.0.1") const;
  std::uint16_t port() const noexcept;
  /// The requests for upgrades: headers by their names in lower case, and ":target".
  std::vector<std::map<std::string, std::string>> seen() const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::test
