#include <weir/aws/environment_credentials.hpp>
#include <weir/aws/profile_credentials.hpp>
#include <weir/aws/profile_files.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <filesystem>
#include <fstream>
#include <string>

using namespace weir;
using test::fails_with;
using test::with_variables;
using found = std::optional<aws::credentials>;

namespace {

std::string value(aws::profile_files const& f, std::string const& profile, std::string const& name) {
  auto const* const s = f.profile(profile);
  if (!s) return "no profile";
  auto const at = s->find(name);
  return at == s->end() ? "none" : at->second;
}
found profile(std::string const& name, aws::variables from) {
  return testing::run(aws::profile_credentials(name, std::move(from)).fetch());
}

}  // namespace

TEST_CASE("keys in the environment", "[aws][credentials]") {
  auto const fetch = [](std::map<std::string, std::string> all) {
    return testing::run(aws::environment_credentials(with_variables(all)).fetch());
  };
  CHECK(fetch({}) == std::nullopt);
  CHECK(fetch({{"AWS_ACCESS_KEY_ID", ""}, {"AWS_SECRET_ACCESS_KEY", ""}}) == std::nullopt);
  CHECK(fetch({{"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "s"}}) == found(aws::credentials("AKID", "s")));
  CHECK(fetch({{"AWS_ACCESS_KEY_ID", "AKID"}, {"AWS_SECRET_ACCESS_KEY", "s"}, {"AWS_SESSION_TOKEN", "t"}}) ==
        found(aws::credentials("AKID", "s", "t")));
  fails_with(errc::invalid_option, [&] { fetch({{"AWS_ACCESS_KEY_ID", "AKID"}}); }, "AWS_SECRET_ACCESS_KEY is not");
  fails_with(errc::invalid_option, [&] { fetch({{"AWS_SECRET_ACCESS_KEY", "s"}}); }, "AWS_ACCESS_KEY_ID is not");
}

TEST_CASE("the shared files are read as the tools of AWS read them", "[aws][credentials]") {
  // After the examples of "Shared config and credentials files".
  aws::profile_files const files(
      "# a comment\n"
      "[default]\n"
      "region = us-west-2   # behind a value\n"
      "output=json\r\n"
      "aws_access_key_id = of the config\n"
      "\n"
      "[profile  user1 ]\n"
      "Region = us-east-1\n"
      "s3 =\n"
      "  max_concurrent_requests = 20\n"
      "secret = a#b;c\n"
      "[user2]\n"
      "region = of no profile\n"
      "[sso-session my-sso]\n"
      "sso_region = us-east-1\n"
      "[services x]\n"
      "kinesis = y\n",
      "[default]\n"
      "aws_access_key_id = AKIDEXAMPLE\n"
      "; another\n"
      "[user2]\n"
      "aws_access_key_id=AKID2\n");
  CHECK(value(files, "default", "region") == "us-west-2");
  CHECK(value(files, "default", "output") == "json");
  CHECK(value(files, "default", "aws_access_key_id") == "AKIDEXAMPLE");
  CHECK(value(files, "user1", "region") == "us-east-1");
  CHECK(value(files, "user1", "max_concurrent_requests") == "none");
  CHECK(value(files, "user1", "secret") == "a#b;c");
  CHECK(value(files, "user2", "region") == "none");
  CHECK(value(files, "user2", "aws_access_key_id") == "AKID2");
  CHECK(value(files, "x", "kinesis") == "no profile");
  REQUIRE(files.sso_session("my-sso"));
  CHECK(files.sso_session("my-sso")->at("sso_region") == "us-east-1");
  CHECK(files.sso_session("user1") == nullptr);
}

TEST_CASE("a line of a shared file that is nothing is named by its number", "[aws][credentials]") {
  fails_with(errc::malformed, [] { aws::profile_files("[default]\nregion\n", ""); }, "line 2", "neither a section");
  fails_with(errc::malformed, [] { aws::profile_files("", "\n\n[default\n"); }, "line 3", "no ]");
  fails_with(errc::malformed, [] { aws::profile_files("region = x\n", ""); }, "line 1", "before the first section");
}

TEST_CASE("the keys of a profile", "[aws][credentials]") {
  test::temporary_folder const folder;
  std::filesystem::path const home = folder.path();
  CHECK(profile("", with_variables({{"HOME", home.string()}})) == std::nullopt);
  std::filesystem::create_directory(home / ".aws");
  std::ofstream(home / ".aws/config") << "[profile login]\nlogin_session = x\n[profile region]\nregion = x\n";
  std::ofstream(home / ".aws/credentials") << "[default]\naws_access_key_id = A\naws_secret_access_key = s\n"
                                              "[lent]\naws_access_key_id = B\naws_secret_access_key = t\naws_session_token = u\n"
                                              "[half]\naws_access_key_id = C\n";
  CHECK(profile("", with_variables({{"HOME", home.string()}})) == found(aws::credentials("A", "s")));
  CHECK(profile("", with_variables({{"HOME", home.string()}, {"AWS_PROFILE", "lent"}})) == found(aws::credentials("B", "t", "u")));
  CHECK(profile("lent", with_variables({{"HOME", home.string()}, {"AWS_PROFILE", "default"}})) == found(aws::credentials("B", "t", "u")));
  CHECK(profile("region", with_variables({{"HOME", home.string()}})) == std::nullopt);
  CHECK(profile("", with_variables({{"HOME", "/nowhere"}, {"AWS_SHARED_CREDENTIALS_FILE", (home / ".aws/credentials").string()}})) ==
        found(aws::credentials("A", "s")));
  fails_with(errc::not_found, [&] { profile("", with_variables({{"HOME", home.string()}, {"AWS_PROFILE", "x"}})); }, "profile x");
  fails_with(errc::invalid_option, [&] { profile("half", with_variables({{"HOME", home.string()}})); }, "no aws_secret_access_key");
  fails_with(
      errc::invalid_option, [&] { profile("login", with_variables({{"HOME", home.string()}})); }, "login_session",
      "credential_process = aws configure export-credentials --profile login");
}
