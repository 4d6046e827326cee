// Under AWS' own Runtime Interface Emulator.
#include <weir/net/http_client.hpp>

#include <weir/net/base64.hpp>
#include <weir/testing/run.hpp>

#include "made_events.hpp"
#include "samples.hpp"
#include "support/catch.hpp"
#include "support/lambda_emulator.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::reports;
using texts = std::vector<std::string>;

namespace {

// A function under the emulator, and what it did. Null: there is none.
struct emulated {
  explicit emulated(int timeout = 3, char const* variable = "WEIR_TEST_FUNCTION") {
    ::setenv("WEIR_EFFECTS", (folder / "effects").c_str(), 1);
    auto const function = test::program_of(variable);
    if (!function) test::skip(std::string(variable) + " names no program");
    else emulator = test::make_lambda_emulator(*function, timeout);
  }
  std::string invoke(std::string payload) {
    net::http_client const client({.request_timeout = 60s});
    net::request ask("POST", emulator->url(), std::move(payload));
    net::response const answer = testing::run(client.send(std::move(ask)));
    CHECK(answer.status == 200);
    return answer.body;
  }
  texts effects() const {
    texts out;
    std::ifstream in(folder / "effects");
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  test::temporary_folder folder;
  std::unique_ptr<test::lambda_emulator> emulator;
};

// Records of Kinesis from 101 on with these data.
std::string event_of(texts const& data) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i != data.size(); ++i) numbers.push_back(101 + static_cast<int>(i));
  std::string out = test::kinesis_event(numbers);
  for (std::size_t i = 0; i != data.size(); ++i) {
    std::string const before = R"("data":")" + net::to_base64(std::to_string(101 + i)) + '"';
    out.replace(out.find(before), before.size(), R"("data":")" + net::to_base64(data[i]) + '"');
  }
  return out;
}

}  // namespace

TEST_CASE("under the emulator samples and failures are answered, and the function goes on", "[lambda][emulator]") {
  emulated f;
  if (!f.emulator) return;
  for (char const* const name : {"kinesis-event.json", "dynamodb-event.json", "sqs-event.json", "kafka-event.json"}) {
    INFO(name);
    std::optional<std::string> const sample = test::lambda_sample(name);
    if (sample) CHECK(f.invoke(*sample) == reports({}));
  }
  CHECK(f.invoke(event_of({"a", "throw", "b"})) == reports({"102"}));
  CHECK(f.invoke(R"({"key1":"value1"})").find(R"("errorType":"Weir.InvocationFailed")") != std::string::npos);
  CHECK(f.invoke("no JSON").find(R"("errorType":"Weir.InvocationFailed")") != std::string::npos);
  std::string broken = event_of({"c", "d"});
  std::string const data = net::to_base64("d");
  broken.replace(broken.find(data), data.size(), "?");
  CHECK(f.invoke(broken) == reports({"102"}));
  CHECK(f.invoke(event_of({"e"})) == reports({}));
  texts const done = f.effects();
  REQUIRE(done.size() >= 3);
  CHECK(texts(done.end() - 3, done.end()) == texts{"a", "c", "e"});
}

TEST_CASE("under the emulator a batch that takes too long is answered before its deadline", "[lambda][emulator]") {
  emulated f(2);
  if (!f.emulator) return;
  CHECK(f.invoke(event_of({"a", "slow", "b"})) == reports({"102"}));
  CHECK(f.invoke(event_of({"c"})) == reports({}));
  CHECK(f.effects() == texts{"a", "c"});
}

TEST_CASE("under the emulator redelivery of what is reported has every effect once", "[lambda][emulator]") {
  emulated f;
  if (!f.emulator) return;
  texts left{"a", "throw", "b", "throw", "c"};
  int rounds = 0;
  for (; !left.empty() && rounds != 10; ++rounds) {
    std::string const answer = f.invoke(event_of(left));
    if (answer == reports({})) break;
    auto const found = answer.find(R"("itemIdentifier":")");
    REQUIRE(found != std::string::npos);
    int const failed = std::stoi(answer.substr(found + 18)) - 101;
    left.erase(left.begin(), left.begin() + failed);
    REQUIRE(left.front() == "throw");
    left.front() = "healed";  // what made it fail is over
  }
  CHECK(rounds == 2);
  CHECK(f.effects() == texts{"a", "healed", "b", "healed", "c"});
}

TEST_CASE("under the emulator a function that was packed starts with its own libraries", "[lambda][emulator]") {
  emulated f(3, "WEIR_TEST_FUNCTION_PACKED");
  if (!f.emulator) return;
  CHECK(f.invoke(event_of({"a", "b"})) == reports({}));
  CHECK(f.effects() == texts{"a", "b"});
}
