#include <weir/aws/endpoint.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <fstream>
#include <map>
#include <string>

using namespace weir;
using test::fails_with;
using names = std::map<std::string, std::string>;

namespace {

aws::service const kinesis{"kinesis", "kinesis"};
aws::endpoint resolved(names all, aws::endpoint_options const& given = {}) {
  all.try_emplace("HOME", "/nowhere");
  return aws::resolve(kinesis, given, test::with_variables(all));
}
std::string url(names const& all, aws::endpoint_options const& given = {}) { return resolved(all, given).url; }

}  // namespace

TEST_CASE("a region's own endpoint, in every partition", "[aws][endpoint]") {
  // "Amazon Kinesis Data Streams endpoints and quotas", and the SDKs' endpoint rules for kinesis.
  CHECK(url({{"AWS_REGION", "eu-west-1"}}) == "https://kinesis.eu-west-1.amazonaws.com");
  CHECK(url({{"AWS_REGION", "us-east-1"}, {"AWS_USE_FIPS_ENDPOINT", "true"}}) == "https://kinesis-fips.us-east-1.amazonaws.com");
  CHECK(url({{"AWS_REGION", "us-east-1"}, {"AWS_USE_DUALSTACK_ENDPOINT", "true"}}) == "https://kinesis.us-east-1.api.aws");
  CHECK(url({{"AWS_REGION", "us-east-1"}, {"AWS_USE_DUALSTACK_ENDPOINT", "true"}, {"AWS_USE_FIPS_ENDPOINT", "true"}}) ==
        "https://kinesis-fips.us-east-1.api.aws");
  CHECK(url({{"AWS_REGION", "cn-north-1"}}) == "https://kinesis.cn-north-1.amazonaws.com.cn");
  CHECK(url({{"AWS_REGION", "us-iso-east-1"}}) == "https://kinesis.us-iso-east-1.c2s.ic.gov");
  CHECK(url({{"AWS_REGION", "us-isob-east-1"}}) == "https://kinesis.us-isob-east-1.sc2s.sgov.gov");
}

TEST_CASE("where the region comes from", "[aws][endpoint]") {
  test::temporary_folder const folder;
  std::string const file = (folder.path() / "config").string();
  std::ofstream(file) << "[default]\nregion = of-default\n[profile p]\nregion = of-p\nendpoint_url = http://p:1\n";
  names all{{"AWS_CONFIG_FILE", file}};
  CHECK(resolved(all).region == "of-default");
  CHECK(resolved(all, {.profile = "p"}).region == "of-p");
  CHECK(resolved(all, {.profile = "p"}).url == "http://p:1");
  all["AWS_PROFILE"] = "p";
  CHECK(resolved(all).region == "of-p");
  all["AWS_DEFAULT_REGION"] = "by-default";
  CHECK(resolved(all).region == "by-default");
  all["AWS_REGION"] = "by-variable";
  CHECK(resolved(all).region == "by-variable");
  CHECK(resolved(all, {.region = "given"}).region == "given");
  fails_with(errc::invalid_option, [] { resolved({}); }, "there is no region", "AWS_REGION");
  for (char const* const bad : {"eu-west-1.evil.com/", "EU", "-x", "a b"})
    fails_with(errc::invalid_option, [&] { resolved({{"AWS_REGION", bad}}); }, "is no region");
}

TEST_CASE("where the URL comes from", "[aws][endpoint]") {
  names all{{"AWS_REGION", "eu-west-1"}, {"AWS_ENDPOINT_URL", "http://all:1/"}};
  CHECK(url(all) == "http://all:1");
  all["AWS_ENDPOINT_URL_KINESIS"] = "http://127.0.0.1:4567";
  CHECK(url(all) == "http://127.0.0.1:4567");
  CHECK(url(all, {.url = "https://localhost:8443"}) == "https://localhost:8443");
  all["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  CHECK(url(all) == "https://kinesis.eu-west-1.amazonaws.com");
  CHECK(url(all, {.url = "https://localhost:8443"}) == "https://localhost:8443");
  fails_with(errc::invalid_option, [] { url({{"AWS_REGION", "x"}}, {.url = "localhost:4567"}); }, "localhost:4567");
  fails_with(errc::invalid_option, [] { url({{"AWS_REGION", "x"}}, {.url = "http://h/path"}); }, "has a path");
}
