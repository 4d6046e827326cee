#pragma once
#include <weir/error.hpp>
#include <weir/instant.hpp>
#include <weir/net/response.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace weir::webhook {

/// What the answer of a receiver means: nothing when it has taken the rows (2xx), else an error that says the status and the beginning of
/// the body.
/// - 429: `errc::throttled`; 408, 425, 5xx: `errc::unavailable`. The same again may succeed.
/// - 401, 403, 407: `errc::access_denied`; 3xx, 404, 405, 410: `errc::not_found`. The receiver has nothing against the rows: somebody must
///   look after URL or headers.
/// - Other 4xx: `errc::rejected`. It has something against these rows.
/// - Other: `errc::incompatible`.
/// Source: Standard Webhooks, "Delivery success and failure"; RFC 9110, section 15.
std::optional<error> failure_in(net::response const& answer);

/// How long the answer asks to wait before the next try, at most `longest`; zero when it does not.
std::chrono::nanoseconds wait_asked_for(net::response const& answer, instant now, std::chrono::nanoseconds longest) noexcept;

/// The beginning of a text for an error message, at most 200 bytes of it, in one line.
std::string beginning_of(std::string const& text);

}  // namespace weir::webhook
