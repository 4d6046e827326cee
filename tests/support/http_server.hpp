#pragma once
#include "support/certificate.hpp"

#include <chrono>
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

/// What a server does with a request: writes these bytes, then leaves the connection as it is, or closes it, or does nothing more with it
/// until the client closes it.
struct http_answer {
  enum class then { keep, close, hold };
  std::string bytes;
  then next = then::keep;
  std::chrono::milliseconds delay{};  ///< before they are written

  /// A whole reply. `headers`: lines with their ends.
  static http_answer of(unsigned status, std::string const& body = "", std::string const& headers = "") {
    return {"HTTP/1.1 " + std::to_string(status) + " Said So\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
                "\r\n\r\n" + body,
            then::keep,
            {}};
  }
  static http_answer raw(std::string bytes, then next = then::close) { return {std::move(bytes), next, {}}; }
  /// Closes the connection, or leaves it hanging, before the reply.
  static http_answer nothing(then next = then::close) { return {"", next, {}}; }
};

/// A request that arrived. Names of headers are in lower case.
struct seen_request {
  std::string method, target, body;
  std::map<std::string, std::string> headers;
  std::size_t connection = 0;  ///< which one it came by, from 0
};

/// A server on a free port of this machine, in threads of its own, which follows a script: the n-th request gets the n-th answer, then all
/// get 200, but for requests whose body has an unwanted text in it: they get 422. Or which asks a function, one request at a time, and does
/// not remember what it has seen. With a certificate it speaks TLS.
class http_server {
public:
  using function = std::function<http_answer(seen_request const&)>;
  static http_server answering(function by, std::optional<certificate> secure = {});
  explicit http_server(std::vector<http_answer> script = {}, std::optional<certificate> secure = {}, std::string unwanted = {});
  http_server(http_server const&) = delete;
  http_server& operator=(http_server const&) = delete;
  ~http_server();

  std::uint16_t port() const noexcept;
  /// "http://127.0.0.1:1234" and the path.
  std::string url(std::string const& path = "/", std::string const& host = "127.0.0.1") const;
  std::vector<seen_request> seen() const;
  std::size_t connections() const;

private:
  struct parts;
  explicit http_server(std::unique_ptr<parts> p);
  std::unique_ptr<parts> parts_;
};

}  // namespace weir::test
