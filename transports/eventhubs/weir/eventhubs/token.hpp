#pragma once
#include <weir/eventhubs/connection_string.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace weir::eventhubs {

/// What allows its bearer access to something, for a time.
struct token {
  std::string text;
  std::string type = "servicebus.windows.net:sastoken";  ///< or "jwt"
  std::int64_t expires = 0;                              ///< seconds since 1970
};

/// Makes a token for an audience, such as "sb://ns.servicebus.windows.net/ticks". `now`: seconds since 1970. Called on the strand of the
/// connection that needs it. After what it throws that may pass (`condition::retryable`) it is asked again, with pauses that grow to half a
/// minute; anything else counts as a token that was refused.
using token_source = std::function<token(std::string const& audience, std::int64_t now)>;

/// Tokens by the key of a connection string, each for so long; or its signature, again and again. Throws `errc::invalid_option` when it has
/// neither, and for a signature without a time until when it holds ("se=").
token_source tokens_of(connection_string const& from, std::chrono::seconds lifetime = std::chrono::hours(1));

}  // namespace weir::eventhubs
