#pragma once
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/stream_opener.hpp>

#include <cstdint>
#include <string>

namespace weir::eventhubs::detail {

// Where connections go: "wss://ns.servicebus.windows.net/$servicebus/websocket", "tls://ns.servicebus.windows.net:5671",
// "tcp://localhost:5672". `host` and `port` are the namespace's; port 0: the transport's own. Throws `errc::invalid_option` for an endpoint
// that is none.
std::string service_address(std::string const& host, std::uint16_t port, bool emulator, transport via, std::string const& endpoint);
// Opens connections to such an address.
stream_opener opener_to(std::string address, net::http_options const& by);

}  // namespace weir::eventhubs::detail
