#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::status {

/// Where a `status::server` listens, and to whom.
struct options {
  /// An IP address of this machine; "0.0.0.0" or "::" is all of them. Default: whoever is on this machine, and nobody else; then requests
  /// have to ask for `localhost` or an address (`Host`), so that no page in a browser reaches it by a name that leads here.
  std::string address = "127.0.0.1";
  /// 0: any that is free, see `server::port`. Default: the one that exporters of OpenTelemetry have.
  std::uint16_t port = 9464;
  /// When it is not empty, a request has to say `Authorization: Bearer TOKEN`; without it `/healthz` and `/readyz` say yes or no only, and
  /// nothing else is shown. There is no TLS: keep to loopback, or to a network that nobody listens in on.
  std::string token;
  /// How many connections there may be, at least 1; whoever comes then is refused (503), which the log says once. Eight more are for probes
  /// (`/healthz`, `/readyz`); what is beyond that is closed at once.
  std::size_t connections = 256;
  /// How large the head of a request may be, in bytes; at least 1 KiB.
  std::size_t head_size = 8 * 1024;
  /// How long a connection may take to send a request, or be quiet between two, before it is closed; above zero.
  std::chrono::nanoseconds request_timeout = std::chrono::seconds(10);
  /// How long it may take to read an answer; above zero.
  std::chrono::nanoseconds answer_timeout = std::chrono::seconds(10);
};

}  // namespace weir::status
