#pragma once
#include <weir/eventhubs/stream_opener.hpp>
#include <weir/eventhubs/token.hpp>
#include <weir/net/http_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weir::eventhubs {

/// What AMQP is spoken over.
enum class transport : std::uint8_t {
  websocket,  ///< port 443, which firewalls and proxies let through
  amqp,       ///< TLS over TCP, port 5671
};

/// Which event hub, who we are, and how it is reached: `client({.connection_string = "Endpoint=sb://...", .event_hub = "ticks"})`.
struct client_options {
  /// As the portal of Azure shows it. One of the emulator (UseDevelopmentEmulator=true) is connected to over plain TCP, port 5672.
  std::string connection_string = {};
  /// The event hub: must be given here, or in the connection string as its EntityPath.
  std::string event_hub = {};

  /// In place of a connection string: the namespace's host, "ns.servicebus.windows.net", together with `tokens`.
  std::string host = {};
  /// What makes tokens, in place of the key in the connection string: of Entra ID, say.
  token_source tokens = {};

  eventhubs::transport transport = transport::websocket;
  /// Where to connect in place of the namespace's host, which stays the one that is meant: a private endpoint or a gateway,
  /// "sb://10.0.0.4" or "sb://gateway.example.com:8443". "ws://" and "tcp://" are without TLS. Empty: the host itself.
  std::string endpoint = {};
  /// Authorities (`ca_file`), proxies, and times to connect, as of any client of `net`.
  net::http_options net = {};

  /// How long the service may take to answer, > 0: to let a connection in, to take a token, to take any event; and all
  /// of a call, such as `properties`.
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
  /// Bytes of a batch of events that are sent, from 1024. The service may take less by a link, as it says then; 1 MiB is the limit of all
  /// tiers but Basic (256 KiB) and Dedicated.
  std::size_t most_batch_bytes = std::size_t{1024} * 1024;
  /// What opens connections in place of all that. Null: a client of WebSocket or TCP.
  stream_opener open = nullptr;
  /// Of what is drawn at random: by how much pauses are shortened. 0: by chance.
  std::uint32_t seed = 0;
};

}  // namespace weir::eventhubs
