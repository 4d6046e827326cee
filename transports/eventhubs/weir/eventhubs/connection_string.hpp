#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::eventhubs {

/// What the portal of Azure gives to connect by:
/// "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=...;EntityPath=ticks".
/// Source: "Get an Event Hubs connection string" (Azure documentation); the emulator's flag: "Test locally by using the Event Hubs
/// emulator".
struct connection_string {
  /// Names of keys and values as there, in any order; letters of names in any case; a `;` may stand at the end. Throws
  /// `errc::invalid_option`, which says what is missing, twice there, or not known, and never shows a key or a signature.
  static connection_string parse(std::string_view text);

  std::string host;        ///< "ns.servicebus.windows.net"
  std::uint16_t port = 0;  ///< 0: the transport's own, as without one in the text
  std::string event_hub;   ///< EntityPath; empty: of the whole namespace
  std::string key_name, key;
  std::string shared_access_signature;  ///< a token that was made elsewhere, in place of a key
  /// UseDevelopmentEmulator: plain connections, no TLS.
  bool emulator = false;

  /// The host, and the port where there is one: what tokens are made for.
  std::string authority() const { return port == 0 ? host : host + ":" + std::to_string(port); }
};

}  // namespace weir::eventhubs
