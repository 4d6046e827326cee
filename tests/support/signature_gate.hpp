#pragma once
#include "support/http_server.hpp"

#include <weir/aws/credentials.hpp>
#include <weir/aws/signing.hpp>
#include <weir/instant.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weir::test {

/// Lets requests pass which are signed as AWS wants it (Signature Version 4): recomputes each signature with the secret, from what arrived.
/// Refuses others with the errors and texts of AWS (research: "Common errors", and the messages in public issues).
class signature_gate {
public:
  /// Who is known, and for which region and service.
  signature_gate(std::vector<aws::credentials> known, aws::signing_scope where);

  /// Throws `refusal`: no signature, half of one, an unknown key, a token that is none or expired, another region or service, a time more
  /// than five minutes off, a header that must be signed and is not, a signature of other bytes or by another secret.
  void check(seen_request const& r, instant now) const;

  /// When a request says that it was signed; null: it does not.
  static std::optional<instant> time_of(seen_request const& r);

private:
  std::vector<aws::credentials> known_;
  aws::signing_scope where_;
};

}  // namespace weir::test
