#include <weir/aws/container_credentials.hpp>
#include <weir/aws/instance_credentials.hpp>
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
using test::with_variables;
using found = std::optional<aws::credentials>;
using names = std::map<std::string, std::string>;

namespace {

// As "Retrieve security credentials from instance metadata" shows it.
char const* const lent = R"({
  "Code" : "Success",
  "LastUpdated" : "2012-04-26T16:39:16Z",
  "Type" : "AWS-HMAC",
  "AccessKeyId" : "ASIAIOSFODNN7EXAMPLE",
  "SecretAccessKey" : "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "Token" : "token",
  "Expiration" : "2017-05-17T15:09:54Z"
})";
aws::credentials const as_lent("ASIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "token",
                               to_instant(sys_days(2017y / May / 17) + 15h + 9min + 54s));

found container(names const& all) { return testing::run(aws::container_credentials(with_variables(all)).fetch()); }
found instance(names const& all) { return testing::run(aws::instance_credentials(with_variables(all)).fetch()); }

}  // namespace

TEST_CASE("a container's credentials, with its token", "[aws][credentials]") {
  CHECK(container({}) == std::nullopt);
  http_server const server({http_answer::of(200, lent), http_answer::of(200, lent), http_answer::of(200, lent)});
  std::string const url = server.url("/get?x=1");
  CHECK(container({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url}}) == found(as_lent));
  CHECK(container({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url}, {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "Basic abc"}}) == found(as_lent));
  test::temporary_folder const folder;
  std::string const file = (folder.path() / "token").string();
  std::ofstream(file) << "from the file";
  CHECK(container({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url},
                   {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "Basic abc"},
                   {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", file}}) == found(as_lent));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].method == "GET");
  CHECK(seen[0].target == "/get?x=1");
  CHECK(seen[0].headers.count("authorization") == 0);
  CHECK(seen[1].headers.at("authorization") == "Basic abc");
  CHECK(seen[2].headers.at("authorization") == "from the file");
}

TEST_CASE("a container's credentials are not asked for where everybody could listen", "[aws][credentials]") {
  for (char const* const url : {"http://example.com/x", "http://169.254.169.254/x", "http://10.0.0.1/x"})
    fails_with(errc::invalid_option, [&] { container({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url}}); }, "without TLS");
  fails_with(errc::invalid_option, [] { container({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "/x"}}); }, "is no absolute URL");
}

TEST_CASE("a container's service that does not answer as it should", "[aws][credentials]") {
  http_server const server({http_answer::of(500), http_answer::of(503), http_answer::of(200, lent), http_answer::of(403),
                            http_answer::of(200, "<html>"), http_answer::of(200, "{}"),
                            http_answer::of(200, R"({"Code":"AssumeRoleUnauthorizedAccess"})"),
                            http_answer::of(200, R"({"AccessKeyId":"A","SecretAccessKey":"secret","Expiration":"soon"})")});
  names const there{{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url()}};
  CHECK(container(there) == found(as_lent));  // at the third try
  fails_with(errc::access_denied, [&] { container(there); }, "status 403");
  fails_with(errc::malformed, [&] { container(there); }, "no JSON object");
  fails_with(errc::malformed, [&] { container(there); }, "no keys");
  fails_with(errc::unavailable, [&] { container(there); }, "AssumeRoleUnauthorizedAccess");
  fails_with(errc::malformed, [&] { container(there); }, "their expiration is not of the form");
  names missing = there;
  missing["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/nowhere/token";
  fails_with(errc::io, [&] { container(missing); }, "/nowhere/token");
}

TEST_CASE("a machine's credentials, by a session of the metadata service", "[aws][credentials]") {
  http_server const server({http_answer::of(200, "the session"), http_answer::of(200, "the-role\nanother"), http_answer::of(200, lent)});
  CHECK(instance({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url("")}}) == found(as_lent));
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].method == "PUT");
  CHECK(seen[0].target == "/latest/api/token");
  CHECK(seen[0].headers.at("x-aws-ec2-metadata-token-ttl-seconds") == "21600");
  CHECK(seen[1].target == "/latest/meta-data/iam/security-credentials/");
  CHECK(seen[1].headers.at("x-aws-ec2-metadata-token") == "the session");
  CHECK(seen[2].target == "/latest/meta-data/iam/security-credentials/the-role");
  CHECK(seen[2].headers.at("x-aws-ec2-metadata-token") == "the session");
}

TEST_CASE("a machine that is none of EC2, or has no role, has no credentials", "[aws][credentials]") {
  http_server const server({http_answer::of(200, "the session"), http_answer::of(404), http_answer::of(404), http_answer::of(403)});
  names there{{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url("")}};
  CHECK(instance(there) == std::nullopt);  // no role
  CHECK(instance(there) == std::nullopt);  // nobody who gives tokens
  fails_with(errc::access_denied, [&] { instance(there); }, "no token");
  there["AWS_EC2_METADATA_DISABLED"] = "true";
  CHECK(instance(there) == std::nullopt);
  CHECK(server.seen().size() == 4);
  CHECK(instance({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:1"}}) == std::nullopt);
}

TEST_CASE("the metadata service is asked directly, whatever proxies there are", "[aws][credentials][proxy]") {
  http_server const proxy;
  CHECK(instance({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://metadata.invalid"},
                  {"http_proxy", "127.0.0.1:" + std::to_string(proxy.port())}}) == std::nullopt);
  CHECK(proxy.seen().empty());
}
