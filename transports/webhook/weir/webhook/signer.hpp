#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::webhook {

/// Signs messages so that a receiver knows who sent them, and that nobody changed them: the symmetric scheme of Standard Webhooks. A
/// value; thread-safe.
/// Source: Standard Webhooks, "Signature scheme" and "Webhook Headers" (github.com/standard-webhooks/standard-webhooks).
class signer {
public:
  /// As `options::secrets`. Throws `errc::invalid_option` for one that is not base64, or empty; the message does not show it.
  explicit signer(std::vector<std::string> const& secrets);

  bool empty() const noexcept { return keys_.empty(); }
  /// The value of webhook-signature: "v1,", the base64 of HMAC-SHA256 over "id.seconds.body"; one for each secret, with spaces between.
  std::string sign(std::string_view id, std::int64_t unix_seconds, std::string_view body) const;

private:
  std::vector<std::string> keys_;
};

}  // namespace weir::webhook
