#include <weir/aws/profile_credentials.hpp>
#include <weir/aws/web_identity_credentials.hpp>
#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <fstream>
#include <map>
#include <string>

using namespace weir;
using namespace std::chrono;
using test::fails_with;
using test::http_answer;
using test::http_server;
using found = std::optional<aws::credentials>;
using names = std::map<std::string, std::string>;

namespace {

// After the example of "AssumeRole" in the API reference.
std::string lent_to(std::string const& key) {
  return "<AssumeRoleResponse "
         "xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">\n<AssumeRoleResult>\n<SourceIdentity>Alice</SourceIdentity>\n"
         "<AssumedRoleUser>\n<Arn>arn:aws:sts::123456789012:assumed-role/demo/TestAR</Arn>\n</"
         "AssumedRoleUser>\n<Credentials>\n<AccessKeyId>" +
         key +
         "</AccessKeyId>\n<SecretAccessKey>wJalr&amp;XUtnFEMI</SecretAccessKey>\n<SessionToken>token==</SessionToken>\n"
         "<Expiration>2019-11-09T13:34:41Z</Expiration>\n</Credentials>\n</AssumeRoleResult>\n</AssumeRoleResponse>";
}
aws::credentials lent(std::string const& key) {
  return {key, "wJalr&XUtnFEMI", "token==", to_instant(sys_days(2019y / November / 9) + 13h + 34min + 41s)};
}

// A home with these files, and STS at the server.
struct home {
  explicit home(http_server const& server, std::string const& config = {}) {
    std::ofstream(folder.path() / "config") << config;
    all = {{"AWS_CONFIG_FILE", (folder.path() / "config").string()},
           {"HOME", "/nowhere"},
           {"AWS_REGION", "eu-west-1"},
           {"AWS_ENDPOINT_URL_STS", server.url("")}};
  }
  found profile(std::string const& name) { return testing::run(aws::profile_credentials(name, test::with_variables(all)).fetch()); }
  found web_identity() { return testing::run(aws::web_identity_credentials(test::with_variables(all)).fetch()); }
  test::temporary_folder folder;
  names all;
};

}  // namespace

TEST_CASE("a role is assumed by the keys of another profile", "[aws][credentials]") {
  http_server const server({http_answer::of(200, lent_to("ASIA1"))});
  home at(server,
          "[profile base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = s\n"
          "[profile r]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\nexternal_id = a b\nrole_session_name = "
          "me\nduration_seconds = 900\n");
  CHECK(at.profile("r") == found(lent("ASIA1")));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].method == "POST");
  CHECK(seen[0].body ==
        "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=me&ExternalId=a%20b&"
        "DurationSeconds=900");
  CHECK(seen[0].headers.at("content-type") == "application/x-www-form-urlencoded; charset=utf-8");
  CHECK(seen[0].headers.at("authorization").find("Credential=AKIDBASE/20240101/eu-west-1/sts/aws4_request") != std::string::npos);
}

TEST_CASE("a role is assumed by a role, by itself, and by the environment", "[aws][credentials]") {
  http_server const server({http_answer::of(200, lent_to("ASIA1")), http_answer::of(200, lent_to("ASIA2")),
                            http_answer::of(200, lent_to("ASIA3")), http_answer::of(200, lent_to("ASIA4"))});
  home at(server,
          "[profile self]\naws_access_key_id = AKIDSELF\naws_secret_access_key = s\nrole_arn = one\nsource_profile = self\n"
          "[profile two]\nrole_arn = two\nsource_profile = self\n"
          "[profile env]\nrole_arn = three\ncredential_source = Environment\n");
  CHECK(at.profile("two") == found(lent("ASIA2")));
  CHECK(at.profile("self") == found(lent("ASIA3")));
  at.all["AWS_ACCESS_KEY_ID"] = "AKIDENV";
  at.all["AWS_SECRET_ACCESS_KEY"] = "s";
  CHECK(at.profile("env") == found(lent("ASIA4")));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 4);
  char const* const by[] = {"AKIDSELF", "ASIA1", "AKIDSELF", "AKIDENV"};
  for (std::size_t i = 0; i != 4; ++i)
    CHECK(seen[i].headers.at("authorization").find(std::string("Credential=") + by[i] + '/') != std::string::npos);
  CHECK(seen[1].headers.at("x-amz-security-token") == "token==");
}

TEST_CASE("a role that nobody can assume is refused", "[aws][credentials]") {
  http_server const server;
  home at(server,
          "[profile a]\nrole_arn = a\nsource_profile = b\n[profile b]\nrole_arn = b\nsource_profile = a\n"
          "[profile alone]\nrole_arn = x\n[profile empty]\nregion = x\n[profile of-empty]\nrole_arn = x\nsource_profile = empty\n"
          "[profile gone]\nrole_arn = x\nsource_profile = nobody\n[profile odd]\nrole_arn = x\ncredential_source = Moon\n"
          "[profile long]\nrole_arn = x\nsource_profile = a\nduration_seconds = 1h\n");
  fails_with(errc::invalid_option, [&] { at.profile("a"); }, "leads back to it");
  fails_with(errc::invalid_option, [&] { at.profile("alone"); }, "could assume its role", "profile alone");
  fails_with(errc::invalid_option, [&] { at.profile("of-empty"); }, "could assume its role");
  fails_with(errc::not_found, [&] { at.profile("gone"); }, "profile nobody");
  fails_with(errc::invalid_option, [&] { at.profile("odd"); }, "Moon");
  fails_with(errc::invalid_option, [&] { at.profile("long"); }, "1h");
  CHECK(server.seen().empty());
}

TEST_CASE("a role for a token, as in Kubernetes", "[aws][credentials]") {
  http_server const server({http_answer::of(200, lent_to("ASIA1")), http_answer::of(200, lent_to("ASIA2"))});
  home at(server);
  CHECK(at.web_identity() == std::nullopt);
  std::string const file = (at.folder.path() / "token").string();
  at.all["AWS_WEB_IDENTITY_TOKEN_FILE"] = file;
  fails_with(errc::invalid_option, [&] { at.web_identity(); }, "AWS_ROLE_ARN is not");
  at.all["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/r";
  fails_with(errc::io, [&] { at.web_identity(); }, file);
  std::ofstream(file) << "eyJ.x-_\n";
  CHECK(at.web_identity() == found(lent("ASIA1")));
  std::ofstream(at.folder.path() / "config") << "[profile w]\nrole_arn = x\nweb_identity_token_file = " << file << '\n';
  CHECK(at.profile("w") == found(lent("ASIA2")));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].body ==
        "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=weir&"
        "DurationSeconds=3600&WebIdentityToken=eyJ.x-_");
  CHECK(seen[0].headers.count("authorization") == 0);
}

TEST_CASE("what STS refuses, and an answer that is none", "[aws][credentials]") {
  http_server const server(
      {http_answer::of(403,
                       "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not &lt;you&gt;</Message>"
                       "</Error><RequestId>x</RequestId></ErrorResponse>"),
       http_answer::of(200, "<AccessKeyId>A</AccessKeyId>")});
  home at(server, "[profile r]\nrole_arn = arn:x\ncredential_source = Environment\n");
  at.all["AWS_ACCESS_KEY_ID"] = "A";
  at.all["AWS_SECRET_ACCESS_KEY"] = "s";
  fails_with(errc::access_denied, [&] { at.profile("r"); }, "AccessDenied: not <you>", "arn:x");
  fails_with(errc::malformed, [&] { at.profile("r"); }, "no credentials in it");
}

TEST_CASE("STS is asked by the proxy that the environment has", "[aws][credentials][proxy]") {
  http_server const proxy({http_answer::of(200, lent_to("ASIA1"))});
  home at(proxy);
  at.all["AWS_ENDPOINT_URL_STS"] = "http://sts.example";
  at.all["http_proxy"] = "127.0.0.1:" + std::to_string(proxy.port());
  at.all["AWS_ROLE_ARN"] = "arn:aws:iam::1:role/r";
  at.all["AWS_WEB_IDENTITY_TOKEN_FILE"] = at.folder.write("token", "eyJ");
  CHECK(at.web_identity() == found(lent("ASIA1")));
  CHECK(proxy.seen().at(0).target == "http://sts.example/");
}
