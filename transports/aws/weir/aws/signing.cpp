#include <weir/aws/signing.hpp>

#include <weir/aws/detail/canonical_request.hpp>
#include <weir/error.hpp>
#include <weir/net/hashes.hpp>
#include <weir/net/url.hpp>

namespace weir::aws {
namespace {

[[noreturn]] void refuse(std::string why, std::string advice) {
  throw error(errc::invalid_option, "aws: cannot sign a request", std::move(why), std::move(advice));
}

}  // namespace

void sign(net::request& r, credentials const& by, signing_scope const& where, instant when, signing_options const& how) {
  if (by.access_key_id.empty() || by.secret_access_key.empty())
    refuse("the credentials have no " + std::string(by.access_key_id.empty() ? "access key id" : "secret access key"), "set both");
  if (where.region.empty() || where.service.empty())
    refuse(std::string("there is no ") + (where.region.empty() ? "region" : "service") + " to sign for", "name it: \"eu-west-1\"");
  auto const to = net::url::parse(r.url);
  if (!to) refuse("the URL " + std::string(to_string(to.error())), "write https://kinesis.eu-west-1.amazonaws.com/");

  std::string const date = detail::date_text(when), body_hash = net::to_hex(net::sha256(r.body));
  r.headers.erase("X-Amz-Content-Sha256").erase("X-Amz-Security-Token");  // of a signature before this one
  r.headers.set("X-Amz-Date", date);
  if (how.declare_body) r.headers.set("X-Amz-Content-Sha256", body_hash);
  if (!by.session_token.empty() && how.sign_token) r.headers.set("X-Amz-Security-Token", by.session_token);
  net::headers all = r.headers;
  all.set("Host", to->authority());
  detail::canonical_request const canonical = detail::canonical(r.method, to->target(), all, body_hash, how.path);
  std::string const text = detail::string_to_sign(canonical.text, where, date);
  r.headers.set("Authorization", "AWS4-HMAC-SHA256 Credential=" + by.access_key_id + '/' + date.substr(0, 8) + '/' + where.region + '/' +
                                     where.service + "/aws4_request, SignedHeaders=" + canonical.signed_headers +
                                     ", Signature=" + detail::signature(by.secret_access_key, where, date, text));
  if (!by.session_token.empty() && !how.sign_token) r.headers.set("X-Amz-Security-Token", by.session_token);
}

}  // namespace weir::aws
