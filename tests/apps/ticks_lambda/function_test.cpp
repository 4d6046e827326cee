// The program that runs in AWS Lambda, packed as it is there, against a Runtime API and an emulator of DynamoDB.
#include <weir/dynamodb/client.hpp>
#include <weir/file/source.hpp>
#include <weir/testing/run.hpp>

#include "apps/ticks/oracle.hpp"
#include "lambda_service.hpp"
#include "support/catch.hpp"
#include "support/dynalite.hpp"
#include "support/program.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/variables.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using Catch::Contains;
using ticks::test::lambda_service;
using put_records = std::vector<lambda_service::put_record>;

namespace {

using settings_of = std::vector<std::pair<std::string, std::string>>;

// What a function of Lambda has in its environment, and `more`.
class function_environment {
public:
  function_environment(lambda_service const& service, std::string const& dynamodb, settings_of const& more = {})
      : all_(with({{"AWS_LAMBDA_RUNTIME_API", service.address()},
                   {"AWS_ACCESS_KEY_ID", "AKIDTEST"},
                   {"AWS_SECRET_ACCESS_KEY", "secret"},
                   {"AWS_REGION", "us-east-1"},
                   {"AWS_ENDPOINT_URL_DYNAMODB", dynamodb}},
                  more)) {}

private:
  static settings_of with(settings_of all, settings_of const& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  variables all_;
};

// Null: reported as skipped.
std::optional<std::string> function_program() {
  auto const program = program_of("WEIR_TICKS_LAMBDA");
  if (!program) skip("WEIR_TICKS_LAMBDA names no program");
  return program;
}

ending run_function(std::string const& program, temporary_folder const& folder, std::chrono::milliseconds killed = 60s,
                    std::function<bool()> or_when = {}) {
  disturbance how;
  how.after = killed;
  how.as_soon_as = std::move(or_when);
  how.signal = SIGKILL;
  return run_program("/bin/sh", {program}, folder.path(), how);  // it is a script
}

std::string symbol_in(std::string_view line) {
  constexpr std::string_view member = R"("symbol":")";
  auto const begin = line.find(member) + member.size();
  return std::string(line.substr(begin, line.find('"', begin) - begin));
}

task<std::vector<std::string>> lines_of(std::string file) {
  weir::file::options from;
  from.paths = {file};
  weir::file::source source(std::move(from));
  auto records = source.open(file, std::nullopt);
  std::vector<std::string> all;
  while (weir::file::record const* const r = co_await records.next()) all.emplace_back(r->payload());
  co_return all;
}

// Each symbol in a shard of its own, with a tick an hour later behind it, whose bar stays open.
std::vector<put_records> shards_of(std::string const& file) {
  std::vector<put_records> shards;
  for (std::string& line : testing::run(lines_of(file))) {
    std::string const symbol = symbol_in(line);
    auto own = std::find_if(shards.begin(), shards.end(), [&](put_records const& s) { return s[0].partition_key == symbol; });
    if (own == shards.end()) own = shards.insert(shards.end(), put_records());
    own->push_back({symbol, std::move(line)});
  }
  for (put_records& s : shards) {
    std::string const symbol = s[0].partition_key;
    s.push_back({symbol, R"({"symbol":")" + symbol + R"(","trade_id":1,"price":"1","size":"1","time":1723165201000})"});
  }
  return shards;
}

std::string text_of(dynamodb::item const& row, char const* name) {
  dynamodb::attribute_value const& v = row.at(name);
  return v.as_string() ? *v.as_string() : v.as_number() ? *v.as_number() : "neither text nor number";
}

// In the form of the answers.
task<std::vector<std::string>> bars_in_table() {
  dynamodb::client const calls;
  dynamodb::scan_request ask("ticks-bars");
  std::vector<std::string> out;
  do {
    task<dynamodb::page> asking = calls.scan(ask);
    dynamodb::page page = co_await std::move(asking);
    for (dynamodb::item const& row : page.items) {
      std::string bar = text_of(row, "symbol");
      for (char const* const name : {"window_start", "open", "high", "low", "close", "volume", "trades"}) bar += "," + text_of(row, name);
      out.push_back(bar);
    }
    ask.from = std::move(page.next);
  } while (!ask.from.empty());
  std::sort(out.begin(), out.end());
  co_return out;
}

}  // namespace

TEST_CASE("ticks in events become the bars of another engine, though answers are lost and the function is killed") {
  auto const program = function_program();
  if (!program) return;
  auto const data = shared_data();
  if (!data) {
    skip("WEIR_SHARED names no folder with data");
    return;
  }
  auto const server = dynalite();
  if (!server) return;
  std::string const day = (*data / "ticks" / "binance-spot-20240808").string();
  lambda_service service(shards_of(day + ".ndjson.gz"), 700, [](int n) { return n % 4 == 0; });
  function_environment const env(service, server->url(), {{"TICKS_WINDOW", "1s"}});
  temporary_folder const folder;
  for (int const ms : {100, 200, 400}) run_function(*program, folder, std::chrono::milliseconds(ms));
  auto const last = run_function(*program, folder);
  INFO(last.err);
  REQUIRE(service.over());
  CHECK_THAT(last.err, Contains("records are left out"));  // that came again after their answer was lost
  CHECK(std::none_of(service.said().begin(), service.said().end(), [](std::string const& s) { return s.starts_with("error"); }));
  bool const same = testing::run(bars_in_table()) == ticks::test::answer(day + ".bars-1s.csv");  // hundreds, which nobody would read
  CHECK(same);
}

TEST_CASE("a record that is no tick, or is not under its symbol, is where its shard goes on") {
  auto const program = function_program();
  if (!program) return;
  auto const server = dynalite();
  if (!server) return;
  std::string const good = R"({"symbol":"A","trade_id":1,"price":"10","size":"1","time":60000})";
  for (auto const& [key, bad] : {std::pair("A", "no tick"), std::pair("B", good.c_str())}) {
    std::atomic<bool> answered = false;
    auto const loses = [&](int) { return answered = true; };  // it would come again without end
    lambda_service const service({{{"A", good}, {key, bad}}}, 10, loses);
    function_environment const env(service, server->url(), {{"TICKS_CHECKPOINT_TABLE", std::string("checkpoints-") + key}});
    temporary_folder const folder;
    auto const e = run_function(*program, folder, 60s, [&] { return answered.load(); });
    INFO(e.err);
    REQUIRE(answered);
    CHECK(service.said().front() == R"(response {"batchItemFailures":[{"itemIdentifier":"1000001"}]})");
    CHECK_THAT(e.err, Contains("ticks: cannot use a record (stream kinesis ticks, partition shardId-000000000000, position 1000001)") &&
                          Contains(key == std::string("A") ? "JSON" : "--key-field symbol"));
  }
}

TEST_CASE("a variable that cannot be used is told to the service before any event") {
  auto const program = function_program();
  if (!program) return;
  lambda_service const service({{{"A", "a"}}}, 1);
  function_environment const env(service, "http://127.0.0.1:1", {{"TICKS_WINDOW", "a minute"}});
  temporary_folder const folder;
  auto const e = run_function(*program, folder);
  CHECK(e.exit_code == 1);
  REQUIRE(service.said().size() == 1);
  CHECK_THAT(service.said()[0], Contains("error ") && Contains(R"(TICKS_WINDOW is \"a minute\")"));
}
