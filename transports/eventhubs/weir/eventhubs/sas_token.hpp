#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::eventhubs {

/// What a link is opened on, as tokens name it: "sb://ns.servicebus.windows.net/ticks/ConsumerGroups/$Default/Partitions/0". `authority` is
/// the host, with the port where one was given.
std::string audience(std::string_view authority, std::string_view address);

/// A shared access signature: "SharedAccessSignature sr=...&sig=...&se=...&skn=...", by which the holder of a key allows access to
/// `audience` until `expires` (seconds since 1970). `key` is taken as the text it is; it looks like base64, and is not decoded.
/// Source: "Authenticate access to Event Hubs resources using shared access signatures" (Azure documentation).
std::string sas_token(std::string_view audience, std::string_view key_name, std::string_view key, std::int64_t expires);

}  // namespace weir::eventhubs
