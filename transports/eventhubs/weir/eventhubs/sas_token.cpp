#include <weir/eventhubs/sas_token.hpp>

#include <weir/net/base64.hpp>
#include <weir/net/hashes.hpp>

namespace weir::eventhubs {
namespace {

// As JavaScript's encodeURIComponent, whose result the service compares: unreserved characters stay. RFC 3986, 2.3, and !*'().
std::string percent_encoded(std::string_view text) {
  constexpr std::string_view stays = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!*'()";
  std::string out;
  for (char const c : text) {
    if (stays.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
      out += "0123456789ABCDEF"[static_cast<unsigned char>(c) & 15];
    }
  }
  return out;
}

}  // namespace

std::string audience(std::string_view authority, std::string_view address) {
  std::string out = "sb://";
  out.append(authority).append(address.starts_with('/') ? "" : "/").append(address);
  return out;
}

std::string sas_token(std::string_view audience, std::string_view key_name, std::string_view key, std::int64_t expires) {
  std::string const resource = percent_encoded(audience), until = std::to_string(expires);
  auto const signature = net::hmac_sha256(key, resource + "\n" + until);
  return "SharedAccessSignature sr=" + resource + "&sig=" + percent_encoded(net::to_base64(net::bytes_of(signature))) + "&se=" + until +
         "&skn=" + percent_encoded(key_name);
}

}  // namespace weir::eventhubs
