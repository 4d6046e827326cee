#include "support/signature_gate.hpp"

#include "support/refusal.hpp"

#include <weir/aws/detail/canonical_request.hpp>
#include <weir/net/hashes.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

namespace weir::test {
namespace {

using namespace std::chrono_literals;
constexpr instant tolerated = std::chrono::nanoseconds(5min).count();

// What stands behind `name` in the Authorization header, up to the next comma.
std::string part_of(std::string const& authorization, std::string const& name) {
  std::size_t const at = authorization.find(name + '=');
  if (at == std::string::npos)
    throw refusal("IncompleteSignatureException", "Authorization header requires '" + name + "' parameter. Authorization=" + authorization);
  std::size_t const from = at + name.size() + 1;
  return authorization.substr(from, authorization.find(',', from) - from);
}

std::vector<std::string> split(std::string const& text, char by) {
  std::vector<std::string> out(1);
  for (char const c : text) {
    if (c == by) out.emplace_back();
    else out.back() += c;
  }
  return out;
}

std::string value_of(seen_request const& r, std::string const& name) {
  auto const found = r.headers.find(name);
  return found == r.headers.end() ? std::string() : found->second;
}

}  // namespace

signature_gate::signature_gate(std::vector<aws::credentials> known, aws::signing_scope where)
    : known_(std::move(known)), where_(std::move(where)) {}

std::optional<instant> signature_gate::time_of(seen_request const& r) {
  int y = 0;
  unsigned mo = 0, d = 0, h = 0, mi = 0, s = 0;
  char z = 0;
  if (std::sscanf(value_of(r, "x-amz-date").c_str(), "%4d%2u%2uT%2u%2u%2u%c", &y, &mo, &d, &h, &mi, &s, &z) != 7 || z != 'Z')
    return std::nullopt;
  auto const day = std::chrono::year(y) / std::chrono::month(mo) / std::chrono::day(d);
  return to_instant(std::chrono::sys_days(day) + std::chrono::hours(h) + std::chrono::minutes(mi) + std::chrono::seconds(s));
}

void signature_gate::check(seen_request const& r, instant now) const {
  std::string const authorization = value_of(r, "authorization"), token = value_of(r, "x-amz-security-token");
  if (authorization.empty()) throw refusal("MissingAuthenticationTokenException", "Missing Authentication Token");
  auto const signed_for = time_of(r);
  if (!signed_for || !authorization.starts_with("AWS4-HMAC-SHA256 "))
    throw refusal("IncompleteSignatureException", "Authorization header requires existence of a 'X-Amz-Date' header.");
  std::vector<std::string> const scope = split(part_of(authorization, "Credential"), '/');
  std::string const names = part_of(authorization, "SignedHeaders"), signature = part_of(authorization, "Signature");
  if (scope.size() != 5) throw refusal("IncompleteSignatureException", "Credential must have exactly 5 slash-delimited elements");

  auto const who = std::ranges::find(known_, scope[0], &aws::credentials::access_key_id);
  if (who == known_.end() || who->session_token != token)
    throw refusal("UnrecognizedClientException", "The security token included in the request is invalid.");
  if (who->expires && *who->expires <= now) throw refusal("ExpiredTokenException", "The security token included in the request is expired");
  if (scope[2] != where_.region)
    throw refusal("InvalidSignatureException", "Credential should be scoped to a valid region, not '" + scope[2] + "'.");
  if (scope[3] != where_.service)
    throw refusal("InvalidSignatureException", "Credential should be scoped to correct service: '" + where_.service + "'.");

  std::string const date = value_of(r, "x-amz-date"), limit = aws::detail::date_text(now);
  if (*signed_for < now - tolerated)
    throw refusal("InvalidSignatureException", "Signature expired: " + date + " is now earlier than " +
                                                   aws::detail::date_text(now - tolerated) + " (" + limit + " - 5 min.)");
  if (*signed_for > now + tolerated)
    throw refusal("InvalidSignatureException", "Signature not yet current: " + date + " is still later than " +
                                                   aws::detail::date_text(now + tolerated) + " (" + limit + " + 5 min.)");

  std::vector<std::string> const listed = split(names, ';');
  net::headers covered;
  for (std::string const& name : listed) covered.add(name, value_of(r, name));
  for (auto const& [name, value] : r.headers)
    if ((name == "host" || name.starts_with("x-amz-")) && std::ranges::find(listed, name) == listed.end())
      throw refusal("InvalidSignatureException", "'" + name + "' must be a 'SignedHeader' in the AWS Authorization.");
  std::string const text =
      aws::detail::canonical(r.method, r.target, covered, net::to_hex(net::sha256(r.body)), aws::path_form::normalized).text;
  aws::signing_scope const given{scope[2], scope[3]};
  std::string const expected = aws::detail::signature(who->secret_access_key, given, date, aws::detail::string_to_sign(text, given, date));
  if (expected != signature || scope[1] != date.substr(0, 8))
    throw refusal("InvalidSignatureException",
                  "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and "
                  "signing method. Consult the service documentation for details.");
}

}  // namespace weir::test
