// How clients try again: in virtual time, so that all waits can be told from the time that requests are signed for.
#include <weir/aws/json_client.hpp>
#include <weir/aws/retry_settings.hpp>
#include <weir/context.hpp>
#include <weir/testing/run.hpp>
#include <weir/timeout.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"
#include "support/temporary_folder.hpp"
#include "transports/aws/support.hpp"

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::http_answer;
using test::http_server;
using test::with_variables;

namespace {

class fixed_keys final : public aws::credentials_source {
public:
  std::string_view kind() const noexcept override { return "test"; }
  task<std::optional<aws::credentials>> fetch() override { co_return aws::credentials("AKID", "secret"); }
};

aws::json_client client_of(http_server const& server, aws::retry_mode mode, unsigned attempts = 3) {
  aws::json_client_options o;
  o.of = {"kinesis", "kinesis"};
  o.target = "Kinesis_20131202";
  o.content_type = "application/x-amz-json-1.1";
  o.where = {"eu-west-1", server.url("")};
  o.retry = {mode, retry_policy().attempts(attempts).first_delay(1s).blur(jitter::none)};
  return {o, aws::credentials_cache(std::make_shared<fixed_keys>())};
}
http_answer busy(std::string const& headers = {}) { return http_answer::of(400, R"({"__type":"ThrottlingException"})", headers); }
http_answer broken(std::string const& headers = {}) { return http_answer::of(500, "", headers); }

// "20240101T000005Z" is 5.
int second_of(test::seen_request const& r) {
  std::string const date = r.headers.at("x-amz-date");
  return std::stoi(date.substr(9, 2)) * 3600 + std::stoi(date.substr(11, 2)) * 60 + std::stoi(date.substr(13, 2));
}
std::vector<int> seconds_of(http_server const& server) {
  std::vector<int> out;
  for (auto const& r : server.seen()) out.push_back(second_of(r));
  return out;
}

// Calls, failures included.
task<int> call_times(aws::json_client client, int times) {
  int failed = 0;
  for (int i = 0; i != times; ++i) {
    bool done = false;
    try {
      (void)co_await client.call("GetRecords", "{}");
      done = true;
    } catch (error const&) {}
    if (!done) ++failed;
  }
  co_return failed;
}

}  // namespace

TEST_CASE("an outage uses the budget of retries up, and then every failure is final", "[aws][retry]") {
  http_server const server(std::vector<http_answer>(1'000, broken()));
  aws::json_client const client = client_of(server, aws::retry_mode::standard);
  // 500 tokens, 5 for a retry: 50 calls with two retries each.
  CHECK(testing::run(call_times(client, 50)) == 50);
  CHECK(server.seen().size() == 150);
  fails_with(errc::unavailable, [&] { testing::run(client.call("GetRecords", "{}")); }, "not tried again", "too many retries");
  CHECK(server.seen().size() == 151);
}

TEST_CASE("without a budget retries go on", "[aws][retry]") {
  http_server const server(std::vector<http_answer>(1'000, broken()));
  CHECK(testing::run(call_times(client_of(server, aws::retry_mode::legacy), 60)) == 60);
  CHECK(server.seen().size() == 180);
}

TEST_CASE("a timeout costs ten of the budget", "[aws][retry]") {
  http_server const server(std::vector<http_answer>(60, http_answer::nothing(http_answer::then::hold)));
  aws::json_client_options o;
  o.of = {"kinesis", "kinesis"};
  o.where = {"eu-west-1", server.url("")};
  o.http.request_timeout = 1ms;
  o.retry.policy = retry_policy().attempts(1'000).first_delay(0s);
  aws::json_client const client(o, aws::credentials_cache(std::make_shared<fixed_keys>()));
  fails_with(errc::timed_out, [&] { testing::run(client.call("GetRecords", "{}")); }, "after 51 tries", "not tried again");
}

TEST_CASE("success gives to the budget: what its retry took, or one", "[aws][retry]") {
  std::vector<http_answer> script(101, broken());                                              // 100 retries take all of it
  for (int i = 0; i != 4; ++i) script.push_back(http_answer::of(200));                         // four
  script.push_back(broken());                                                                  // are not enough for a retry,
  script.push_back(http_answer::of(200));                                                      // five
  for (int i = 0; i != 3; ++i) script.insert(script.end(), {broken(), http_answer::of(200)});  // are, and it gives them back
  script.insert(script.end(), {broken(), broken()});                                           // unless it fails
  http_server const server(std::move(script));
  aws::json_client const client = client_of(server, aws::retry_mode::standard, 101);
  CHECK(testing::run(call_times(client, 1)) == 1);
  CHECK(testing::run(call_times(client, 4)) == 0);
  CHECK(testing::run(call_times(client, 1)) == 1);
  CHECK(testing::run(call_times(client, 1)) == 0);
  CHECK(testing::run(call_times(client, 3)) == 0);
  CHECK(testing::run(call_times(client, 1)) == 1);
  CHECK(server.seen().size() == 101 + 4 + 1 + 1 + 6 + 2);
}

TEST_CASE("a delay that the service asks for is kept to, within five seconds", "[aws][retry]") {
  struct {
    std::string header;
    int second;
  } const cases[] = {{"", 1},
                     {"x-amz-retry-after: 3000\r\n", 3},
                     {"x-amz-retry-after: 500\r\n", 1},
                     {"x-amz-retry-after: 60000\r\n", 6},
                     {"x-amz-retry-after: soon\r\n", 1},
                     {"x-amz-retry-after: -5\r\n", 1},
                     {"Retry-After: 4\r\n", 4},
                     {"Retry-After: 999999999999999999999\r\n", 6},
                     {"Retry-After: Mon, 01 Jan 2024 00:00:05 GMT\r\n", 5},
                     {"Retry-After: 4\r\nx-amz-retry-after: 2000\r\n", 2}};
  for (auto const& c : cases) {
    INFO(c.header);
    http_server const server({busy(c.header)});
    testing::run(client_of(server, aws::retry_mode::standard).call("GetRecords", "{}"));
    CHECK(seconds_of(server) == std::vector<int>{0, c.second});
  }
}

TEST_CASE("in adaptive mode a client that is throttled sends less, and first tries wait, too", "[aws][retry]") {
  http_server const throttling({busy()}), calm({busy()});
  // By hand: at 0 nothing is measured, so the rate is the least, 0.5. At 2 it is twice the measured 0.8 (the curve would allow 3.2), so the
  // next is sent at 2.625; then twice 1.76, so at 2.909 and 3.193.
  CHECK(testing::run(call_times(client_of(throttling, aws::retry_mode::adaptive, 1), 5)) == 1);
  CHECK(seconds_of(throttling) == std::vector<int>{0, 2, 2, 2, 3});
  CHECK(testing::run(call_times(client_of(calm, aws::retry_mode::standard, 1), 5)) == 1);
  CHECK(seconds_of(calm) == std::vector<int>{0, 0, 0, 0, 0});
}

TEST_CASE("in adaptive mode a call that is cancelled while it waits leaves its turn to the next", "[aws][retry]") {
  http_server const server({busy()});
  auto const calls = [](aws::json_client client) -> task<> {
    task<int> refused = call_times(client, 1);
    (void)co_await std::move(refused);
    bool given_up = false;
    try {
      task<std::string> waiting = client.call("GetRecords", "{}");
      (void)co_await with_timeout(1s, std::move(waiting));
    } catch (error const& e) {
      given_up = e.code() == errc::timed_out;
    }
    CHECK(given_up);
    (void)co_await client.call("GetRecords", "{}");
  };
  testing::run(calls(client_of(server, aws::retry_mode::adaptive, 1)));
  // The one that is let be sent at 2, as above: it would be at 4 behind one that is counted and was not sent.
  CHECK(seconds_of(server) == std::vector<int>{0, 2});
}

TEST_CASE("how to retry is looked for in the environment and in the profile", "[aws][retry]") {
  test::temporary_folder const folder;
  std::string const config = folder.file("config");
  std::ofstream(config) << "[default]\nretry_mode = legacy\nmax_attempts = 7\n[profile p]\nretry_mode = adaptive\n";
  retry_policy const usual = retry_policy().attempts(3).first_delay(1s);
  using std::nullopt;
  auto const none = with_variables({{"HOME", "/nowhere"}});
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "", none).mode == aws::retry_mode::standard);
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "", none).policy.max_attempts() == 3);
  auto const file = with_variables({{"AWS_CONFIG_FILE", config}});
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "", file).mode == aws::retry_mode::legacy);
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "", file).policy.max_attempts() == 7);
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "p", file).mode == aws::retry_mode::adaptive);
  auto const both = with_variables({{"AWS_CONFIG_FILE", config}, {"AWS_RETRY_MODE", "adaptive"}, {"AWS_MAX_ATTEMPTS", "9"}});
  CHECK(aws::resolve_retries(nullopt, nullopt, usual, "", both).mode == aws::retry_mode::adaptive);
  aws::retry_settings const nine = aws::resolve_retries(nullopt, nullopt, usual, "", both);
  CHECK(nine.policy.max_attempts() == 9);
  CHECK(nine.policy.delay(1, 0) == usual.delay(1, 0));
  aws::retry_settings const given = aws::resolve_retries(aws::retry_mode::standard, usual.attempts(2), usual, "", both);
  CHECK(given.mode == aws::retry_mode::standard);
  CHECK(given.policy.max_attempts() == 2);
  fails_with(
      errc::invalid_option, [&] { aws::resolve_retries(nullopt, nullopt, usual, "", with_variables({{"AWS_RETRY_MODE", "often"}})); },
      "AWS_RETRY_MODE", "often", "legacy, standard and adaptive are known");
  for (char const* const n : {"0", "-1", "3x", "many", "99999999999"})
    fails_with(
        errc::invalid_option, [&] { aws::resolve_retries(nullopt, nullopt, usual, "", with_variables({{"AWS_MAX_ATTEMPTS", n}})); },
        "AWS_MAX_ATTEMPTS", n);
}
