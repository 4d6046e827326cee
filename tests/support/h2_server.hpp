#pragma once
#include "support/certificate.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// A stream of an HTTP/2 server: which connection, from 0, and the stream's number there.
struct h2_id {
  std::size_t connection = 0;
  std::int32_t stream = 0;
  friend auto operator<=>(h2_id const&, h2_id const&) = default;
};

/// A request that arrived whole. Headers by name, those of HTTP/2 (":path") too.
struct h2_request {
  h2_id id;
  std::map<std::string, std::string> headers;
  std::string body;
};

/// An HTTP/2 server on a free port of this machine, in a thread of its own (nghttp2): calls a function, there, for each request, and does
/// what it is told, from any thread.
class h2_server {
public:
  using function = std::function<void(h2_server&, h2_request const&)>;
  struct options {
    std::optional<certificate> secure = {};
    std::string protocol = "h2";  ///< what it agrees to speak over TLS
    std::uint32_t most_streams = 100;
    bool answers_pings = true;
    std::string greeting = {};  ///< in place of HTTP/2: writes this and reads on
  };
  explicit h2_server(function on_request);
  h2_server(function on_request, options o);
  h2_server(h2_server const&) = delete;
  h2_server& operator=(h2_server const&) = delete;
  ~h2_server();

  using fields = std::vector<std::pair<std::string, std::string>>;
  void head(h2_id to, unsigned status, fields headers = {});
  /// Bytes of a body, as the client's windows let them go.
  void send(h2_id to, std::string bytes);
  void end(h2_id of);
  /// A whole reply.
  void answer(h2_id to, unsigned status, std::string body, fields headers = {});
  void reset(h2_id what, std::uint32_t code);
  /// `last`: the last stream that it says to have looked at.
  void go_away(std::size_t connection, std::int32_t last, std::uint32_t code = 0);
  /// Closes a connection.
  void drop(std::size_t connection);
  /// Reads nothing of a connection any more, nor writes to it.
  void freeze(std::size_t connection);

  std::string url(std::string const& path = "/", std::string const& host = "127.0.0.1") const;
  std::uint16_t port() const noexcept;
  std::size_t connections() const;
  std::vector<h2_request> seen() const;
  /// What of a body has gone out by now.
  std::size_t sent(h2_id of) const;
  /// The code that the client has reset a stream with.
  std::optional<std::uint32_t> was_reset(h2_id what) const;
  /// The client has said goodbye, or closed it.
  bool is_over(std::size_t connection) const;
  /// GOAWAY frames that came while streams were open.
  std::size_t early_goodbyes() const;
  std::size_t pings() const;
  /// Until it holds, looked at whenever something happens here; false after half a minute.
  bool wait(std::function<bool()> const& holds) const;

private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::test
