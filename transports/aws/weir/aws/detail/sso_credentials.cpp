#include <weir/aws/detail/sso_credentials.hpp>

#include <weir/aws/detail/sso_token.hpp>
#include <weir/aws/endpoint.hpp>
#include <weir/aws/json_string.hpp>
#include <weir/aws/service_error.hpp>
#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/net/percent.hpp>

#include <simdjson.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace weir::aws::detail {
namespace {

using std::chrono::nanoseconds;
constexpr char const* failed = "aws: no credentials";
constexpr char const* log_in = "run `aws sso login`";
constexpr instant early = nanoseconds(std::chrono::minutes(5)).count();

// What a profile and its session say.
struct settings {
  std::string account, role, region, start_url, session;
};

settings settings_of(profile_files const& files, std::string const& profile) {
  profile_files::section const& own = *files.profile(profile);
  auto const named = own.find("sso_session");
  profile_files::section const* session = &own;
  if (named != own.end()) session = files.sso_session(named->second);
  if (!session)
    throw error(errc::not_found, failed, "the shared files have no [sso-session " + named->second + ']', "run `aws configure sso`");
  auto const needed = [](profile_files::section const& s, char const* name) {
    auto const found = s.find(name);
    if (found == s.end() || found->second.empty())
      throw error(errc::invalid_option, failed, std::string("there is no ") + name, "run `aws configure sso`");
    return found->second;
  };
  settings out;
  if (named != own.end()) out.session = named->second;
  out.account = needed(own, "sso_account_id");
  out.role = needed(own, "sso_role_name");
  out.region = needed(*session, "sso_region");
  out.start_url = needed(*session, "sso_start_url");
  return out;
}

std::string encoded(std::string_view text) {
  std::string out;
  for (char const c : text) net::percent_encode(c, out);
  return out;
}

// `what` was asked of the service.
net::response checked(net::response answer, std::string const& what) {
  std::optional<service_error> const refusal = read_service_error(answer);
  if (!refusal) return answer;
  error const said = to_error(*refusal, "aws: " + what + " failed");
  bool const over = refusal->status == 401 || refusal->code == "InvalidGrantException" || refusal->code == "ExpiredTokenException" ||
                    answer.body.find("\"invalid_grant\"") != std::string::npos;
  if (over) throw error(errc::access_denied, "aws: " + what + " failed", said.why(), log_in);
  throw said;
}

// The token that CreateToken gives for a refresh token.
sso_token read_renewed(std::string const& json, sso_token old, instant now) {
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object all;
  old.access_token.clear();
  std::int64_t seconds = 0;
  if (!parser.iterate(text).get(document) && !document.get_object().get(all)) {
    for (auto member : all) {
      std::string_view name, value;
      if (member.unescaped_key().get(name)) break;
      if (name == "expiresIn") {
        if (member.value().get_int64().get(seconds)) break;
      } else if (!member.value().get_string().get(value)) {
        if (name == "accessToken") old.access_token = value;
        else if (name == "refreshToken") old.refresh_token = value;
      }
    }
  }
  constexpr std::int64_t most = 366L * 86'400;
  if (old.access_token.empty() || seconds <= 0 || seconds > most)
    throw error(errc::malformed, failed, "the answer to CreateToken has no token in it", "see what answers at the endpoint of sso_oidc");
  old.expires = now + nanoseconds(std::chrono::seconds(seconds)).count();
  return old;
}

task<sso_token> renew(net::http_client client, variables from, std::string region, sso_token old) {
  context& own = co_await current_context();
  endpoint const at = resolve({"sso_oidc", "oidc"}, {.region = std::move(region), .url = {}, .profile = {}}, from);
  std::string body = "{\"clientId\":";
  append_json_string(body, old.client_id);
  append_json_string(body += ",\"clientSecret\":", old.client_secret);
  append_json_string(body += ",\"grantType\":\"refresh_token\",\"refreshToken\":", old.refresh_token);
  net::request ask("POST", at.url + "/token", body + '}');
  ask.headers.add("Content-Type", "application/json");
  net::response answer = co_await client.send(std::move(ask));
  net::response const checked_answer = checked(std::move(answer), "CreateToken");
  co_return read_renewed(checked_answer.body, std::move(old), own.clock().now());
}

// The token of a session, renewed when its time is nearly up. When that fails, the old one serves to its end.
task<sso_token> token_of(net::http_client client, variables from, settings const& s) {
  context& own = co_await current_context();
  std::string const file = sso_token_file(from("HOME").value_or(""), s.session.empty() ? s.start_url : s.session);
  sso_token token = read_sso_token(file);
  instant const now = own.clock().now();
  bool const due = !s.session.empty() && now >= token.expires - early && token.renewable(now);
  if (due) {
    std::optional<sso_token> renewed;
    try {
      task<sso_token> renewing = renew(std::move(client), std::move(from), s.region, token);
      renewed = co_await std::move(renewing);
      write_sso_token(file, *renewed);
    } catch (error const& e) {
      if (e.code() == condition::cancelled || (!renewed && now >= token.expires)) throw;
      own.log().warning(std::string("the token of IAM Identity Center: ") + e.what());
    }
    if (renewed) co_return *std::move(renewed);
  }
  if (now >= token.expires) throw error(errc::access_denied, failed, "the cached token has expired", log_in).with_detail(file);
  co_return token;
}

credentials read_role(std::string const& json) {
  simdjson::ondemand::parser parser;
  simdjson::padded_string const text(json);
  simdjson::ondemand::document document;
  simdjson::ondemand::object all;
  credentials out;
  std::int64_t milliseconds = 0;
  if (!parser.iterate(text).get(document) && !document["roleCredentials"].get_object().get(all)) {
    for (auto member : all) {
      std::string_view name, value;
      if (member.unescaped_key().get(name)) break;
      if (name == "expiration") {
        if (member.value().get_int64().get(milliseconds)) break;
      } else if (!member.value().get_string().get(value)) {
        if (name == "accessKeyId") out.access_key_id = value;
        else if (name == "secretAccessKey") out.secret_access_key = value;
        else if (name == "sessionToken") out.session_token = value;
      }
    }
  }
  instant until = 0;
  bool const late = __builtin_mul_overflow(milliseconds, 1'000'000, &until);
  if (out.access_key_id.empty() || out.secret_access_key.empty() || out.session_token.empty() || milliseconds <= 0 || late)
    throw error(errc::malformed, failed, "the answer to GetRoleCredentials has no credentials in it",
                "see what answers at the endpoint of sso");
  out.expires = until;
  return out;
}

task<credentials> role_credentials(net::http_client client, variables from, settings s) {
  sso_token const token = co_await token_of(client, from, s);
  endpoint const at = resolve({"sso", "portal.sso"}, {.region = s.region, .url = {}, .profile = {}}, from);
  net::request ask("GET", at.url + "/federation/credentials?role_name=" + encoded(s.role) + "&account_id=" + encoded(s.account));
  ask.headers.add("x-amz-sso_bearer_token", token.access_token);
  net::response answer = co_await client.send(std::move(ask));
  net::response const checked_answer = checked(std::move(answer), "GetRoleCredentials");
  co_return read_role(checked_answer.body);
}

}  // namespace

bool has_sso(profile_files::section const& s) { return s.count("sso_session") != 0 || s.count("sso_start_url") != 0; }

task<credentials> sso_credentials(net::http_client client, std::shared_ptr<profile_files const> files, std::string profile,
                                  variables from) {
  try {
    task<credentials> asking = role_credentials(std::move(client), std::move(from), settings_of(*files, profile));
    co_return co_await std::move(asking);
  } catch (error& e) {
    if (e.code() != condition::cancelled) e.with_detail("profile " + profile);
    throw;
  }
}

}  // namespace weir::aws::detail
