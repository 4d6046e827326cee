#pragma once
#include <weir/net/headers.hpp>
#include <weir/net/http_options.hpp>
#include <weir/retry_policy.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weir::webhook {

/// What the body of a request looks like.
enum class body_form : std::uint8_t {
  array,  ///< a JSON array of the rows: application/json
  lines,  ///< a line for each row: application/x-ndjson
};

/// Where rows are sent, and how: `{.url = "https://example.com/hook", .secrets = {secret}}`.
struct options {
  std::string url;  ///< http or https
  /// Tells sinks of one pipeline apart that have the same URL; part of the idempotency key. A sink that is given another name, or another
  /// URL, repeats after a restart under other keys.
  std::string name;
  net::headers headers;  ///< sent with each request, for authorization say; Content-Type is ours

  body_form form = body_form::array;
  std::size_t most_rows = 500;           ///< in a request, >= 1
  std::size_t most_bytes = 1024 * 1024;  ///< of a request's body, >= 1; a row for which this is not enough is refused (`errc::too_large`)

  /// Keys to sign with, as Standard Webhooks writes them ("whsec_" and base64, 1 byte at least); empty: not signed. Several while a key is
  /// replaced: there is a signature by each.
  std::vector<std::string> secrets;

  /// How often and how late a request is sent again that failed for a while: timeouts, lost or refused connections, statuses 408, 425, 429,
  /// and 5xx (`condition::retryable`). Where the answer has a Retry-After, no earlier than it says. Then the commit fails. Default: 8
  /// times, from half a second up to 30 s.
  retry_policy retry = retry_policy().attempts(8).first_delay(std::chrono::milliseconds(500)).cap(std::chrono::seconds(30));
  /// No Retry-After is obeyed for longer; >= 0.
  std::chrono::milliseconds longest_retry_after = std::chrono::minutes(5);
  /// Of the client. The pipeline waits for each answer, so request_timeout bounds how long a try holds it up.
  net::http_options http;
};

}  // namespace weir::webhook
