#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace state_tool {

/// Where a Redis server is.
struct redis_place {
  std::string host = "127.0.0.1";
  std::uint16_t port = 6379;
  std::string socket;  ///< in place of host and port
  std::string user, password;
  unsigned database = 0;
};

/// Reads `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, also without `redis:` or `redis://`, or `unix:PATH[?db=DATABASE]`. User and
/// password may have %XX in them. Throws `errc::invalid_option`, which does not show the text.
redis_place parse_redis_url(std::string_view text);

}  // namespace state_tool
