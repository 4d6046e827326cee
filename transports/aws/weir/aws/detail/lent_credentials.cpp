#include <weir/aws/detail/lent_credentials.hpp>

#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <simdjson.h>

namespace weir::aws::detail {
namespace {

[[noreturn]] void refuse(errc code, std::string why, std::string_view from) {
  throw error(code, "aws: no credentials", std::move(why)).with_detail(std::string(from));
}

}  // namespace

credentials read_lent_credentials(std::string const& json, std::string_view from) {
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object all;
  if (parser.iterate(text).get(document) || document.get_object().get(all)) refuse(errc::malformed, "the answer is no JSON object", from);
  credentials out;
  std::string code, expiration;
  for (auto member : all) {
    std::string_view name, value;
    if (member.unescaped_key().get(name)) refuse(errc::malformed, "the answer is no JSON object", from);
    if (member.value().get_string().get(value)) continue;  // null, or something of no use here
    if (name == "AccessKeyId") out.access_key_id = value;
    else if (name == "SecretAccessKey") out.secret_access_key = value;
    else if (name == "Token") out.session_token = value;
    else if (name == "Expiration") expiration = value;
    else if (name == "Code") code = value;
  }
  if (!code.empty() && code != "Success") refuse(errc::unavailable, "the answer says " + code, from);
  if (out.access_key_id.empty() || out.secret_access_key.empty()) refuse(errc::malformed, "the answer has no keys in it", from);
  if (!expiration.empty()) {
    auto const until = parse_rfc3339(expiration);
    if (!until) refuse(errc::malformed, "their expiration " + std::string(to_string(until.error())), from);
    out.expires = *until;
  }
  return out;
}

}  // namespace weir::aws::detail
