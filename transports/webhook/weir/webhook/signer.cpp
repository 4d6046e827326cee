#include <weir/webhook/signer.hpp>

#include <weir/error.hpp>
#include <weir/net/base64.hpp>
#include <weir/net/hashes.hpp>

#include <optional>
#include <utility>

namespace weir::webhook {

signer::signer(std::vector<std::string> const& secrets) {
  constexpr std::string_view prefix = "whsec_";
  for (std::string_view text : secrets) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    std::optional<std::string> key = net::from_base64(text);
    if (!key || key->empty())
      throw error(errc::invalid_option, "webhook: cannot sign", key ? "a secret is empty" : "a secret is not base64",
                  "give it as the receiver shows it: whsec_ and base64 with its padding");
    keys_.push_back(*std::move(key));
  }
}

std::string signer::sign(std::string_view id, std::int64_t unix_seconds, std::string_view body) const {
  std::string content(id);
  content.append(".").append(std::to_string(unix_seconds)).append(".").append(body);
  std::string out;
  for (std::string const& key : keys_) {
    net::digest const d = net::hmac_sha256(key, content);
    out.append(out.empty() ? "v1," : " v1,").append(net::to_base64(net::bytes_of(d)));
  }
  return out;
}

}  // namespace weir::webhook
