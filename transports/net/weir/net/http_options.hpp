#pragma once
#include <weir/net/variables.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace weir::net {

/// How a client behaves: `http_client client({.request_timeout = 5s})`. All times are the system's, also in a simulation, since a server
/// does not wait in virtual time.
struct http_options {
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);   ///< to find the address and to connect, > 0
  std::chrono::milliseconds tls_timeout = std::chrono::seconds(5);       ///< for the handshake, > 0
  std::chrono::milliseconds request_timeout = std::chrono::seconds(30);  ///< for all of a request, connecting included, > 0
  /// How long a connection that nobody uses is kept; servers close theirs after 5 s to some minutes. 0: each request has its own.
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(20);
  std::size_t most_idle = 8;                 ///< connections kept for an origin and a strand; how many are in use at a time is not limited
  std::size_t most_header = 64 * 1024;       ///< bytes of a reply's header, >= 1
  std::size_t most_body = 16 * 1024 * 1024;  ///< bytes of a reply's body
  /// Certificates (PEM) of the authorities that servers are trusted by; empty: the system's.
  std::string ca_file;
  std::string user_agent = "weir";  ///< sent where a request has none
  /// The proxy for all requests, those to this machine too: "http://user:password@proxy:3128". Empty: the one that `proxies_from` has.
  std::string proxy;
  /// Where HTTPS_PROXY, NO_PROXY and the like are looked up, once, when a client is made (`http_client` says how). Null: no proxies.
  variables proxies_from = process_variables();
};

}  // namespace weir::net
