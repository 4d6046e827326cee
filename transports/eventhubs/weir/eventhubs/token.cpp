#include <weir/eventhubs/token.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/sas_token.hpp>

#include <charconv>
#include <string_view>
#include <system_error>
#include <utility>

namespace weir::eventhubs {
namespace {

// "SharedAccessSignature sr=...&sig=...&se=1700000000&skn=..."
std::int64_t expiry_of(std::string_view signature) {
  std::size_t at = signature.find("&se=");
  at = at == std::string_view::npos ? signature.find(" se=") : at;
  std::int64_t out = 0;
  if (at != std::string_view::npos) {
    std::string_view const digits = signature.substr(at + 4);
    auto const [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (wrong == std::errc{} && (end == digits.data() + digits.size() || *end == '&')) return out;
  }
  throw error(errc::invalid_option, "event hubs: the connection string cannot be used",
              "its SharedAccessSignature does not say until when it holds (se=)", "have it made anew");
}

}  // namespace

token_source tokens_of(connection_string const& from, std::chrono::seconds lifetime) {
  if (!from.shared_access_signature.empty()) {
    token given;
    given.text = from.shared_access_signature;
    given.expires = expiry_of(given.text);
    return [given = std::move(given)](std::string const& /*audience*/, std::int64_t /*now*/) { return given; };
  }
  if (from.key.empty())
    throw error(errc::invalid_option, "event hubs: the connection string cannot be used",
                "it has neither a SharedAccessKey nor a SharedAccessSignature",
                "use the one that the portal shows, or give tokens yourself");
  return [name = from.key_name, key = from.key, lifetime](std::string const& audience, std::int64_t now) {
    token made;
    made.expires = now + lifetime.count();
    made.text = sas_token(audience, name, key, made.expires);
    return made;
  };
}

}  // namespace weir::eventhubs
