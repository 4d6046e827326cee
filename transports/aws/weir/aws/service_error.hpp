#pragma once
#include <weir/error.hpp>
#include <weir/net/response.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::aws {

/// What a service answers in place of a result, by the JSON protocols (1.0, 1.1, REST).
struct service_error {
  unsigned status = 0;
  std::string code;     ///< "ExpiredIteratorException", without name space or address; empty when the answer has none (500 without a body)
  std::string message;  ///< for people; may be empty
  std::string request_id;  ///< what the vendor's support asks for; may be empty
};

/// What an error is about. Errors are told apart by their code: most have status 400.
enum class service_error_kind : std::uint8_t {
  throttled,      ///< the same again, later and less often
  transient,      ///< the same again may succeed: 5xx, timeouts
  clock,          ///< the signature was too old, or from the future: sign again by the service's clock (`clock_skew`)
  expired_token,  ///< the credentials were lent and their time is up: get others
  credentials,    ///< nobody knows the key, or its secret is another
  forbidden,      ///< the key is known and may not do this
  not_found,      ///< there is no such stream, table, ...
  refused,        ///< anything else: the request is understood, and this is the answer to it
};

/// Null for an answer that is none: 2xx.
std::optional<service_error> read_service_error(net::response const& answer);
/// By its code first, then by its status.
service_error_kind kind_of(service_error const& e) noexcept;
/// The error of `failed` ("kinesis: cannot read a shard") with what the service said and what to do. Codes: `errc::throttled`,
/// `unavailable` (transient), `access_denied` (clock, credentials, forbidden, expired token), `not_found`, `rejected`; or `own`, where the
/// service has a code of its own for it.
error to_error(service_error const& e, std::string failed, std::optional<std::error_code> own = {});

}  // namespace weir::aws
