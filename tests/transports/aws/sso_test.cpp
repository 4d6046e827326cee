// IAM Identity Center: what `aws sso login` leaves is written here as the AWS CLI writes it. Virtual time begins with 2024.
#include <weir/aws/profile_credentials.hpp>
#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace weir;
using namespace std::chrono;
using test::fails_with;
using test::http_answer;
using test::http_server;
using found = std::optional<aws::credentials>;

namespace {

// By `printf %s my-sso | sha1sum`, and the same of the start URL.
constexpr char const* of_session = "0ad374308c5a4e22f723adf10145eafad7c4031c";
constexpr char const* of_url = "a00fce5cb007c23a469c136160398db65edcb180";

class home {
public:
  home() {
    std::filesystem::create_directories(folder_.path() / ".aws/sso/cache");
    std::ofstream(folder_.path() / ".aws/config") << "[profile s]\nsso_session = my-sso\nsso_account_id = 111122223333\n"
                                                     "sso_role_name = Sample Role\n"
                                                     "[sso-session my-sso]\nsso_region = eu-west-1\n"
                                                     "sso_start_url = https://my-sso.awsapps.com/start\n"
                                                     "[profile legacy]\nsso_start_url = https://my-sso.awsapps.com/start\n"
                                                     "sso_region = eu-west-1\nsso_account_id = 111122223333\nsso_role_name = R\n"
                                                     "[profile nobody]\nsso_session = other\nsso_account_id = 1\nsso_role_name = R\n"
                                                     "[profile half]\nsso_session = my-sso\nsso_account_id = 1\n";
  }
  std::string file(char const* hash) const { return (folder_.path() / ".aws/sso/cache" / hash).string() + ".json"; }
  void log_in(char const* hash, std::string const& expires, std::string const& more = {}) const {
    std::ofstream(file(hash)) << R"({"startUrl": "https://my-sso.awsapps.com/start", "region": "eu-west-1", "accessToken": "TOKEN", )"
                              << R"("expiresAt": ")" << expires << '"' << more << '}';
  }
  std::string cached(char const* hash) const {
    std::ifstream in(file(hash));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  found fetch(char const* profile, http_server const& portal, http_server const& oidc) const {
    auto from = test::with_variables(
        {{"HOME", folder_.path().string()}, {"AWS_ENDPOINT_URL_SSO", portal.url("")}, {"AWS_ENDPOINT_URL_SSO_OIDC", oidc.url("")}});
    return testing::run(aws::profile_credentials(profile, std::move(from)).fetch());
  }

private:
  test::temporary_folder folder_;
};

constexpr char const* registered =
    R"(, "clientId": "CID", "clientSecret": "CSECRET", "registrationExpiresAt": "2024-02-01T00:00:00Z", "refreshToken": "RT1")";

// After the example of GetRoleCredentials; 1704070800000 is 2024-01-01T01:00:00Z.
http_answer lent() {
  return http_answer::of(
      200, R"({"roleCredentials":{"accessKeyId":"ASIA","secretAccessKey":"s","sessionToken":"t","expiration":1704070800000}})");
}
http_answer renewed() {
  return http_answer::of(200, R"({"accessToken":"TOKEN2","tokenType":"Bearer","expiresIn":28800,"refreshToken":"RT2"})");
}
found expected() { return aws::credentials("ASIA", "s", "t", to_instant(sys_days(2024y / January / 1) + 1h)); }

}  // namespace

TEST_CASE("a token that somebody has logged in for gives the credentials of a role", "[aws][sso]") {
  home const at;
  http_server const portal({lent(), lent()}), oidc;
  at.log_in(of_session, "2024-01-01T08:00:00Z", registered);
  CHECK(at.fetch("s", portal, oidc) == expected());
  auto const seen = portal.seen().at(0);
  CHECK(seen.method == "GET");
  CHECK(seen.target == "/federation/credentials?role_name=Sample%20Role&account_id=111122223333");
  CHECK(seen.headers.at("x-amz-sso_bearer_token") == "TOKEN");
  CHECK_FALSE(seen.headers.contains("authorization"));
  at.log_in(of_url, "2024-01-01T08:00:00UTC");
  CHECK(at.fetch("legacy", portal, oidc) == expected());
  CHECK(oidc.seen().empty());
}

TEST_CASE("a token that is nearly over is renewed and written back", "[aws][sso]") {
  home const at;
  http_server const portal({lent(), lent()}), oidc({renewed()});
  at.log_in(of_session, "2024-01-01T00:05:00Z", registered);
  CHECK(at.fetch("s", portal, oidc) == expected());
  CHECK(portal.seen().at(0).headers.at("x-amz-sso_bearer_token") == "TOKEN2");
  auto const seen = oidc.seen().at(0);
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/token");
  CHECK(seen.body == R"({"clientId":"CID","clientSecret":"CSECRET","grantType":"refresh_token","refreshToken":"RT1"})");
  CHECK(seen.headers.at("content-type") == "application/json");
  CHECK(at.cached(of_session) == R"({"startUrl": "https://my-sso.awsapps.com/start", "region": "eu-west-1", "accessToken": "TOKEN2", )"
                                 R"("expiresAt": "2024-01-01T08:00:00Z", "clientId": "CID", "clientSecret": "CSECRET", )"
                                 R"("registrationExpiresAt": "2024-02-01T00:00:00Z", "refreshToken": "RT2"})");
  using std::filesystem::perms;
  CHECK(std::filesystem::status(at.file(of_session)).permissions() == (perms::owner_read | perms::owner_write));
  CHECK(at.fetch("s", portal, oidc) == expected());  // with what was written
  CHECK(oidc.seen().size() == 1);
}

TEST_CASE("a token that cannot be renewed serves to its end", "[aws][sso]") {
  home const at;
  http_server const portal({lent()}), oidc({http_answer::of(500)});
  at.log_in(of_session, "2024-01-01T00:04:00Z", registered);
  CHECK(at.fetch("s", portal, oidc) == expected());
  CHECK(portal.seen().at(0).headers.at("x-amz-sso_bearer_token") == "TOKEN");
}

TEST_CASE("who has to log in is told so", "[aws][sso]") {
  home const at;
  http_server const portal(
      {http_answer::of(401, R"({"message":"Session token not found or invalid"})", "x-amzn-ErrorType: UnauthorizedException\r\n")}),
      oidc({http_answer::of(400, R"({"error":"invalid_grant","error_description":"Invalid refresh token"})",
                            "x-amzn-ErrorType: InvalidGrantException\r\n")});
  auto const fails = [&](errc code, char const* profile, auto const&... parts) {
    fails_with(code, [&] { at.fetch(profile, portal, oidc); }, std::string("profile ") + profile, parts...);
  };
  fails(errc::not_found, "s", "nobody has logged in", at.file(of_session), "run `aws sso login`");
  at.log_in(of_session, "2024-01-01T00:00:00Z");
  fails(errc::access_denied, "s", "the cached token has expired", "run `aws sso login`");
  at.log_in(of_url, "2024-01-01T00:00:00Z", registered);  // of no session, so it is not renewed
  fails(errc::access_denied, "legacy", "the cached token has expired");
  at.log_in(of_session, "2024-01-01T00:00:00Z", registered);
  fails(errc::access_denied, "s", "CreateToken failed", "InvalidGrantException", "run `aws sso login`");
  at.log_in(of_session, "2024-01-01T08:00:00Z");
  fails(errc::access_denied, "s", "GetRoleCredentials failed", "Session token not found or invalid", "run `aws sso login`");
  std::ofstream(at.file(of_session)) << "{\"accessToken\":\"x\"}";
  fails(errc::malformed, "s", "no accessToken and expiresAt", at.file(of_session));
  std::ofstream(at.file(of_session)) << "what";
  fails(errc::malformed, "s", "no JSON object");
}

TEST_CASE("settings of IAM Identity Center that are missing are named", "[aws][sso]") {
  home const at;
  http_server const portal, oidc;
  fails_with(errc::not_found, [&] { at.fetch("nobody", portal, oidc); }, "no [sso-session other]", "profile nobody");
  fails_with(errc::invalid_option, [&] { at.fetch("half", portal, oidc); }, "no sso_role_name", "aws configure sso");
}

TEST_CASE("a role that is not allowed, and answers that are none", "[aws][sso]") {
  home const at;
  at.log_in(of_session, "2024-01-01T08:00:00Z");
  http_server const oidc({http_answer::of(200, "{}")});
  http_server const portal({http_answer::of(403, R"({"message":"No access"})", "x-amzn-ErrorType: ForbiddenException\r\n"),
                            http_answer::of(200, "{}"), http_answer::of(200, R"({"roleCredentials":{"accessKeyId":"A"}})")});
  fails_with(errc::access_denied, [&] { at.fetch("s", portal, oidc); }, "GetRoleCredentials failed", "No access");
  for (int i = 0; i != 2; ++i) fails_with(errc::malformed, [&] { at.fetch("s", portal, oidc); }, "no credentials in it");
  at.log_in(of_session, "2024-01-01T00:00:00Z", registered);
  fails_with(errc::malformed, [&] { at.fetch("s", portal, oidc); }, "CreateToken has no token");
}
