// What somebody hears whose settings are wrong: what failed, why, and what to do.
#include <weir/aws/credentials_source.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/certificate.hpp"
#include "support/fails_with.hpp"
#include "support/kinesis_server.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::kinesis_fault;
using test::kinesis_server;

namespace {

// What a function returns, each time.
class made_credentials final : public aws::credentials_source {
public:
  explicit made_credentials(std::function<aws::credentials()> make) : make_(std::move(make)) {}
  std::string_view kind() const noexcept override { return "test"; }
  task<std::optional<aws::credentials>> fetch() override { co_return make_(); }

private:
  std::function<aws::credentials()> make_;
};
kinesis::client_options signing(kinesis_server const& server, std::function<aws::credentials()> make) {
  auto o = server.client_options();
  o.credentials.emplace(std::make_shared<made_credentials>(std::move(make)));
  return o;
}
void describe(kinesis::client_options o) { testing::run(kinesis::client(std::move(o)).describe_stream_summary("ticks")); }

constexpr instant start = 1'704'067'200'000'000'000;  // of virtual time
constexpr instant minutes(int n) { return std::chrono::nanoseconds(std::chrono::minutes(n)).count(); }

}  // namespace

TEST_CASE("a wrong secret, and a key that nobody knows", "[kinesis][errors]") {
  kinesis_server server;
  server.create("ticks", 1);
  fails_with(
      errc::access_denied, [&] { describe(signing(server, [] { return aws::credentials("AKIDTEST", "other"); })); },
      "kinesis: DescribeStreamSummary failed", "stream ticks", "Check your AWS Secret Access Key", "correct the access key, or its secret");
  fails_with(
      errc::access_denied, [&] { describe(signing(server, [] { return aws::credentials("AKIDOTHER", "secret"); })); },
      "UnrecognizedClientException", "correct the access key");
  CHECK(server.calls().size() == 2);
}

TEST_CASE("another region than the endpoint's", "[kinesis][errors]") {
  kinesis_server server;
  auto o = server.client_options();
  o.where.region = "eu-west-1";
  fails_with(
      errc::access_denied, [&] { describe(o); }, "kinesis: DescribeStreamSummary failed", "stream ticks", "in eu-west-1",
      "valid region, not 'eu-west-1'", "correct the region, or the endpoint");
}

TEST_CASE("a stream that is not there", "[kinesis][errors]") {
  kinesis_server server;
  fails_with(
      errc::not_found, [&] { describe(server.client_options()); }, "kinesis: DescribeStreamSummary failed", "stream ticks", "in us-east-1",
      "Stream ticks under account 000000000000 not found", "correct the name, the region or the endpoint");
}

TEST_CASE("a token that has expired is fetched anew, and then it is said", "[kinesis][errors]") {
  kinesis_server::options o;
  o.known = {{"AKIDOLD", "secret", "old", start}, {"AKIDNEW", "secret", "new"}};
  kinesis_server server(std::move(o));
  server.create("ticks", 1);
  int fetched = 0;
  describe(signing(server, [&] {
    return ++fetched == 1 ? aws::credentials("AKIDOLD", "secret", "old") : aws::credentials("AKIDNEW", "secret", "new");
  }));
  CHECK(fetched == 2);
  fails_with(
      errc::access_denied, [&] { describe(signing(server, [] { return aws::credentials("AKIDOLD", "secret", "old"); })); },
      "kinesis: DescribeStreamSummary failed", "stream ticks", "ExpiredTokenException", "get new credentials");
}

TEST_CASE("no credentials at all", "[kinesis][errors]") {
  kinesis_server server;
  auto o = server.client_options();
  o.credentials.reset();
  o.from = [](std::string const& name) -> std::optional<std::string> {
    if (name == "AWS_EC2_METADATA_DISABLED") return "true";
    if (name == "HOME") return "/nowhere";
    return std::nullopt;
  };
  fails_with(errc::not_found, [&] { describe(o); }, "no credentials", "set AWS_ACCESS_KEY_ID");
}

TEST_CASE("a clock that is twenty minutes off is no reason to fail", "[kinesis][errors]") {
  for (int const off : {20, -20}) {
    INFO(off);
    kinesis_server::options o;
    o.clock = [off] { return start + minutes(off); };
    kinesis_server server(std::move(o));
    server.create("ticks", 1);
    kinesis::client const client(server.client_options());
    testing::run(client.describe_stream_summary("ticks"));
    CHECK(server.calls().size() == 2);
    testing::run(client.describe_stream_summary("ticks"));
    CHECK(server.calls().size() == 3);
  }
}

TEST_CASE("how far a clock is ahead is heard of from answers, as it is from refusals", "[kinesis][errors]") {
  for (int const off : {-20, -2, 2, 20}) {
    INFO(off);
    kinesis_server::options o;
    o.clock = [off] { return start + minutes(off); };
    kinesis_server server(std::move(o));
    server.create("ticks", 1);
    kinesis::client const client(server.client_options());
    CHECK(client.clock_ahead() == 0min);
    testing::run(client.describe_stream_summary("ticks"));
    CHECK(client.clock_ahead().count() == minutes(off));
  }
}

TEST_CASE("a clock that is off, at a service that does not tell the time", "[kinesis][errors]") {
  // What AWS answers, from its knowledge center; the header Date has been lost on the way.
  for (char const* const why : {"Signature expired: 20240101T000000Z is now earlier than 20240101T001500Z",
                                "Signature not yet current: 20240101T000000Z is still later than 20231231T234500Z"}) {
    kinesis_server server;
    server.create("ticks", 1);
    server.fail("DescribeStreamSummary", kinesis_fault::refuse("InvalidSignatureException", why, 403));
    fails_with(
        errc::access_denied, [&] { describe(server.client_options()); }, "kinesis: DescribeStreamSummary failed", "stream ticks",
        "InvalidSignatureException", why, "correct this machine's clock");
  }
}

TEST_CASE("nobody at the endpoint", "[kinesis][errors]") {
  kinesis::client_options o;
  {
    kinesis_server server;
    o = server.client_options();
  }
  try {
    describe(o);
    FAIL("nothing was thrown");
  } catch (error const& e) {
    CHECK(e.code() == std::errc::connection_refused);
    CHECK(e.code() == condition::retryable);
    for (std::string const part : {"http: cannot connect", "stream ticks", "nobody listens there", "after 3 tries",
                                   "start the server, or correct the URL", o.where.url.c_str()}) {
      INFO(e.what() << " should say: " << part);
      CHECK(std::string(e.what()).find(part) != std::string::npos);
    }
  }
}

TEST_CASE("TLS to the right host, and to another one", "[kinesis][errors]") {
  test::temporary_folder const folder;
  auto const asking = [&](std::string const& names) {
    kinesis_server::options o;
    o.secure.emplace(names);
    auto const server = std::make_unique<kinesis_server>(o);
    server->create("ticks", 1);
    auto c = server->client_options();
    c.http.ca_file = folder.write("ca.pem", o.secure->chain);
    describe(c);
  };
  asking("IP:127.0.0.1");
  fails_with(
      errc::access_denied, [&] { asking("DNS:kinesis.eu-west-1.amazonaws.com"); }, "TLS refused", "stream ticks",
      "https://127.0.0.1:", "certificate is not trusted", "mismatch", "correct the host in the URL");
}

TEST_CASE("an endpoint that does not answer, and one that is slow", "[kinesis][errors]") {
  kinesis_server server;
  server.create("ticks", 1);
  server.fail("DescribeStreamSummary", kinesis_fault::hang());
  server.fail("DescribeStreamSummary", kinesis_fault::late(10ms));
  auto o = server.client_options();
  o.http.request_timeout = 300ms;  // of the system's clock
  describe(o);
  CHECK(server.calls().size() == 2);
}

TEST_CASE("a shard that has nothing", "[kinesis][errors]") {
  kinesis_server server;
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  std::string const at =
      testing::run(client.get_shard_iterator("ticks", "shardId-000000000000", kinesis::starting_position::trim_horizon()));
  auto const batch = testing::run(client.get_records(at));
  CHECK(batch.records.empty());
  CHECK(batch.behind == 0ms);
  CHECK_FALSE(batch.next_iterator.empty());
  CHECK(batch.children.empty());
}

TEST_CASE("a record of ten mebibytes, and a client that has no room for it", "[kinesis][errors]") {
  kinesis_server::options o;
  o.protocol.most_record = std::size_t{10} * 1024 * 1024;
  kinesis_server server(std::move(o));
  server.create("ticks", 1);
  server.put("ticks", "k", std::string(std::size_t{10} * 1024 * 1024 - 1, 'x'));
  auto const ask = [&](kinesis::client_options how) {
    kinesis::client const client(std::move(how));
    std::string const at =
        testing::run(client.get_shard_iterator("ticks", "shardId-000000000000", kinesis::starting_position::trim_horizon()));
    return testing::run(client.get_records(at)).records.size();
  };
  CHECK(ask(server.client_options()) == 1);
  auto small = server.client_options();
  small.http.most_body = std::size_t{1024} * 1024;
  fails_with(
      errc::too_large, [&] { ask(small); }, "http: cannot take the reply", "kinesis GetRecords", "larger than allowed", "raise most_body");
}
