#pragma once
#include <weir/error.hpp>
#include <weir/net/response.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace weir::azure {

/// What a storage service answers in place of a result.
struct service_error {
  unsigned status = 0;
  std::string code;        ///< "BlobNotFound"; empty when the answer has none
  std::string message;     ///< for people, one line; may be empty
  std::string request_id;  ///< what the vendor's support asks for; may be empty
};

/// What an error is about.
enum class service_error_kind : std::uint8_t {
  throttled,    ///< the same again, later and less often
  transient,    ///< the same again may succeed: 5xx, timeouts
  credentials,  ///< nobody knows the key, the signature or the token, or its time is another
  forbidden,    ///< who asks is known and may not do this
  not_found,    ///< there is no such container, or blob
  condition,    ///< there is such a blob already, or it is not the one that was meant: 409 BlobAlreadyExists, 412 ConditionNotMet
  refused,      ///< anything else: the request is understood, and this is the answer to it
};

/// Null for an answer that is none: 2xx.
std::optional<service_error> read_service_error(net::response const& answer);
/// By its code first, then by its status. Source: "Blob service error codes" and "Common REST API error codes" (Azure Storage REST API).
service_error_kind kind_of(service_error const& e) noexcept;
/// The error of `failed` ("azure: Put Blob failed") with what the service said and what to do. Codes: `errc::throttled`, `unavailable`
/// (transient), `access_denied` (credentials, forbidden), `not_found`, `stale` (condition), `rejected`.
error to_error(service_error const& e, std::string failed);

}  // namespace weir::azure
