#pragma once
#include <weir/net/headers.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::net::detail {

// A request as HTTP/2 has it.
struct h2_request {
  h2_request() = default;
  std::vector<headers::field> fields;  // those with a colon first; names in lower case
  std::string body;
};

// Why there is no (whole) reply.
struct h2_failure {
  h2_failure(std::error_code c, std::string because, bool not_seen = false) noexcept : code(c), why(std::move(because)), unseen(not_seen) {}
  std::error_code code;
  std::string why;
  bool unseen;  // the server has done nothing with the request: it may be sent again
};

// What has come back on a request.
struct h2_stream {
  explicit h2_stream(std::string to_send) noexcept : sending(std::move(to_send)) {}
  std::string sending;
  std::size_t sent = 0;

  unsigned status = 0;
  net::headers headers;
  std::size_t header_size = 0;
  bool answered = false;  // the head is whole
  std::string body;       // what came and was not taken
  bool ended = false;     // nothing more comes, and that was all
  std::optional<h2_failure> failure;
};

}  // namespace weir::net::detail
