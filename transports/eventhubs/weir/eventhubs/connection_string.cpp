#include <weir/eventhubs/connection_string.hpp>

#include <weir/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>
#include <utility>

namespace weir::eventhubs {
namespace {

constexpr std::string_view advice =
    "use the connection string that the portal shows under \"Shared access policies\": "
    "Endpoint=sb://NAMESPACE.servicebus.windows.net/;SharedAccessKeyName=NAME;SharedAccessKey=KEY;EntityPath=HUB";

[[noreturn]] void refuse_connection_string(std::string why) {
  throw error(errc::invalid_option, "event hubs: the connection string cannot be used", std::move(why), std::string(advice));
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// It could be shown: what is none may be a secret.
bool is_name(std::string_view text) {
  return text.size() <= 24 && std::ranges::all_of(text, [](unsigned char c) { return std::isalpha(c) != 0; });
}

// "sb://host:port/" into its parts.
void read_endpoint(connection_string& out, std::string_view text) {
  auto const scheme = text.find("://");
  if (scheme == std::string_view::npos) refuse_connection_string("its Endpoint is no URL");
  if (lower_case(text.substr(0, scheme)) != "sb") refuse_connection_string("its Endpoint does not begin with sb://");
  std::string_view rest = text.substr(scheme + 3);
  if (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
  auto const colon = rest.rfind(':');
  if (colon != std::string_view::npos) {
    std::string_view const digits = rest.substr(colon + 1);
    auto const [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), out.port);
    if (wrong != std::errc{} || end != digits.data() + digits.size() || out.port == 0)
      refuse_connection_string("the port of its Endpoint is no number from 1 to 65535");
    rest = rest.substr(0, colon);
  }
  if (rest.empty() || rest.find_first_of("/?#@ ") != std::string_view::npos)
    refuse_connection_string("its Endpoint has no host, or more than one");
  out.host = lower_case(rest);
}

}  // namespace

connection_string connection_string::parse(std::string_view text) {
  connection_string out;
  std::string endpoint, emulator;
  std::pair<std::string_view, std::string*> const known[] = {
      {"Endpoint", &endpoint},        {"SharedAccessKeyName", &out.key_name},
      {"SharedAccessKey", &out.key},  {"SharedAccessSignature", &out.shared_access_signature},
      {"EntityPath", &out.event_hub}, {"UseDevelopmentEmulator", &emulator},
  };
  for (std::string_view left = text; !left.empty();) {
    std::string_view const part = trimmed(left.substr(0, left.find(';')));
    left.remove_prefix(std::min(left.size(), left.find(';') == std::string_view::npos ? left.size() : left.find(';') + 1));
    if (part.empty()) continue;
    auto const equals = part.find('=');
    if (equals == std::string_view::npos) refuse_connection_string("a part of it has no \"=\"");
    std::string const name = lower_case(trimmed(part.substr(0, equals)));
    auto const* const found = std::find_if(std::begin(known), std::end(known), [&](auto const& k) { return lower_case(k.first) == name; });
    if (found == std::end(known)) {
      if (!is_name(name)) refuse_connection_string("a part of it is no key and its value; is the key alone given?");
      refuse_connection_string("\"" + std::string(part.substr(0, equals)) + "\" is none of its keys");
    }
    if (!found->second->empty()) refuse_connection_string(std::string(found->first) + " stands there twice");
    *found->second = trimmed(part.substr(equals + 1));
  }
  if (endpoint.empty()) refuse_connection_string("it has no Endpoint");
  read_endpoint(out, endpoint);
  if (!emulator.empty()) {
    std::string const flag = lower_case(emulator);
    if (flag != "true" && flag != "false") refuse_connection_string("UseDevelopmentEmulator is neither true nor false");
    out.emulator = flag == "true";
  }
  if (out.key_name.empty() != out.key.empty())
    refuse_connection_string(out.key.empty() ? "it has a SharedAccessKeyName and no SharedAccessKey"
                                             : "it has a SharedAccessKey and no SharedAccessKeyName");
  if (!out.key.empty() && !out.shared_access_signature.empty())
    refuse_connection_string("it has both a SharedAccessKey and a SharedAccessSignature");
  if (!out.shared_access_signature.empty() && !out.shared_access_signature.starts_with("SharedAccessSignature "))
    refuse_connection_string("its SharedAccessSignature does not begin with the words \"SharedAccessSignature sr=\"");
  return out;
}

}  // namespace weir::eventhubs
