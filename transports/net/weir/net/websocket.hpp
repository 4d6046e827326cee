#pragma once
#include <weir/net/byte_stream.hpp>

#include <string>

namespace weir::net {

/// A WebSocket, as a stream of bytes: those of its binary messages behind each other, wherever one ends. Each `write` is a message, in one
/// frame. A server's pings are answered while it is read, and only then; whoever does not read for long should not be at a server that
/// counts them.
///
/// Errors of `read_some`, beside those of a byte stream: `errc::too_large` for a message above `most_message`; `malformed` for text, and
/// for what is no WebSocket; `unavailable` when the server ends it with a code other than 1000 and 1001, which the message has.
class websocket : public byte_stream {
public:
  /// The sub-protocol that the server has chosen; empty: none was asked for.
  virtual std::string const& protocol() const noexcept = 0;
  /// Lets the server, and what is between, know that it is in use. The answer is swallowed by `read_some`. Not beside a `ping`.
  virtual task<> ping() = 0;
};

}  // namespace weir::net
