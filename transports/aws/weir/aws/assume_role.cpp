#include <weir/aws/assume_role.hpp>

#include <weir/aws/detail/xml_text.hpp>
#include <weir/aws/service_error.hpp>
#include <weir/aws/signing.hpp>
#include <weir/error.hpp>
#include <weir/net/percent.hpp>
#include <weir/rfc3339.hpp>

namespace weir::aws {
namespace {

constexpr char const* failed = "aws: cannot assume a role";

void add(std::string& form, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  form.append(form.empty() ? "" : "&").append(name).append("=");
  for (char const c : value) net::percent_encode(c, form);
}

net::request form_of(endpoint const& sts, std::string_view action, role const& as, std::string_view token) {
  std::string form;
  add(form, "Action", action);
  add(form, "Version", "2011-06-15");
  add(form, "RoleArn", as.arn);
  add(form, "RoleSessionName", as.session);
  add(form, "ExternalId", as.external_id);
  add(form, "DurationSeconds", std::to_string(as.duration.count()));
  add(form, "WebIdentityToken", token);
  net::request r("POST", sts.url + '/', std::move(form));
  r.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  return r;
}

credentials read(net::response const& answer, std::string const& arn) {
  if (auto refusal = read_service_error(answer)) {
    if (auto code = detail::xml_text(answer.body, "Code")) refusal->code = *std::move(code);
    if (auto message = detail::xml_text(answer.body, "Message")) refusal->message = *std::move(message);
    throw to_error(*refusal, failed).with_detail(arn);
  }
  credentials out;
  out.access_key_id = detail::xml_text(answer.body, "AccessKeyId").value_or("");
  out.secret_access_key = detail::xml_text(answer.body, "SecretAccessKey").value_or("");
  out.session_token = detail::xml_text(answer.body, "SessionToken").value_or("");
  auto const until = parse_rfc3339(detail::xml_text(answer.body, "Expiration").value_or(""));
  if (out.access_key_id.empty() || out.secret_access_key.empty() || out.session_token.empty() || !until)
    throw error(errc::malformed, failed, "the answer has no credentials in it", "see what answers at the endpoint of sts").with_detail(arn);
  out.expires = *until;
  return out;
}

}  // namespace

task<credentials> assume_role(net::http_client client, endpoint sts, credentials by, role as, instant now) {
  net::request r = form_of(sts, "AssumeRole", as, {});
  sign(r, by, {sts.region, "sts"}, now);
  net::response const answer = co_await client.send(std::move(r));
  co_return read(answer, as.arn);
}

task<credentials> assume_role_with_web_identity(net::http_client client, endpoint sts, std::string token, role as) {
  net::response const answer = co_await client.send(form_of(sts, "AssumeRoleWithWebIdentity", as, token));
  co_return read(answer, as.arn);
}

}  // namespace weir::aws
