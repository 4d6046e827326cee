// `ticks --source kinesis` as a user meets it: against a server that verifies signatures, and an emulator that is not ours.
#include <weir/kinesis/client.hpp>
#include <weir/testing/run.hpp>

#include "apps/kinesis/programs.hpp"
#include "apps/ticks/messages.hpp"
#include "apps/ticks/oracle.hpp"
#include "support/catch.hpp"
#include "support/kinesis_emulators.hpp"
#include "support/kinesis_server.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using Catch::Contains;
using ticks::test::bars_in;

namespace {

disturbance killed_after(std::chrono::milliseconds d) {
  disturbance how;
  how.after = d;
  how.signal = SIGKILL;
  return how;
}
disturbance stopped_when(std::function<bool()> holds) {
  disturbance how;
  how.after = 60s;
  how.as_soon_as = std::move(holds);
  how.signal = SIGTERM;
  return how;
}

std::string tick_of(int id, std::string const& price, long time, std::string const& symbol = "A") {
  return R"({"symbol":")" + symbol + R"(","trade_id":)" + std::to_string(id) + R"(,"price":")" + price + R"(","size":"1","time":)" +
         std::to_string(time) + "}";
}

std::string key_in(kinesis_server const& server, std::size_t shard) {
  for (int i = 0;; ++i) {
    std::string key = "key " + std::to_string(i);
    if (server.stream("ticks").owner_of(kinesis::hash_key::of(key)) == shard) return key;
  }
}

std::vector<std::string> reading(std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"--source", "kinesis", "--stream", "ticks", "--bars", "b", "--show", "0"});
  return more;
}

}  // namespace

// 15,863 real trades over four shards. The last bars close by the clock, when nothing has come for a bar and the bound: six seconds.
TEST_CASE("the trades of a stream become the bars of another engine, though the program is killed again and again") {
  if (!programs_ready()) return;
  auto const data = shared_data();
  if (!data) {
    skip("WEIR_SHARED names no folder with data");
    return;
  }
  auto const emulator = kinesalite();
  if (!emulator) return;
  aws_environment const env(emulator->url());
  kinesis::client_options how = kinesis_server().client_options();
  how.where.url = emulator->url();
  testing::run(kinesis::client(how).create_stream("ticks", 4));
  temporary_folder const folder;
  std::string const day = (*data / "ticks" / "binance-spot-20240808").string();
  auto const put = run_tool({"put", "ticks", day + ".ndjson.gz", "--key-field", "symbol", "--any-order"}, folder.path());
  INFO(put.err);
  REQUIRE(put.exit_code == 0);
  CHECK_THAT(put.err, Contains("15863 records put into ticks"));

  auto const arguments = reading({"--window", "1s", "--events", "e", "--batch", "300"});
  int killed = 0;
  for (int const ms : {60, 90, 120, 150, 200, 250, 300, 400})
    if (run_ticks(arguments, folder.path(), killed_after(std::chrono::milliseconds(ms))).signal == SIGKILL) ++killed;
  CHECK(killed == 8);
  auto const expected = ticks::test::answer(day + ".bars-1s.csv");
  auto const last = run_ticks(arguments, folder.path(), stopped_when([&] { return bars_in(folder.file("b")).size() == expected.size(); }));
  INFO(last.err);
  CHECK(last.exit_code == 0);
  bool const same = bars_in(folder.file("b")) == expected;  // hundreds, which nobody would read
  CHECK(same);

  std::map<std::string, std::string> told;
  for (ticks::test::sent const& m : ticks::test::messages_in(folder.read("e")))
    REQUIRE(told.emplace(m.identity, m.bar).first->second == m.bar);
  std::vector<std::string> bars;
  for (auto const& one : told) bars.push_back(one.second);
  std::sort(bars.begin(), bars.end());
  bool const all_told = bars == expected;
  CHECK(all_told);

  auto const lag = run_tool({"lag", "ticks", "--checkpoints", "b", "--json"}, folder.path());
  INFO(lag.out << lag.err);
  CHECK(lag.exit_code == 0);
  CHECK(std::count(lag.out.begin(), lag.out.end(), '\n') == 4);
  CHECK_THAT(lag.out, !Contains(R"("waiting_ms":1)") && Contains(R"("checkpoint":"4)"));
}

// In three parts: the second comes when a shard is being split, the third when two are merged. Behind them a tick an hour later in each
// shard, under a symbol of its own, whose bar stays open.
TEST_CASE("bars that span a split or a merge of their shards are those of another engine") {
  if (!programs_ready()) return;
  auto const data = shared_data();
  if (!data) {
    skip("WEIR_SHARED names no folder with data");
    return;
  }
  kinesis_server server(by_the_clock());
  server.create("day", 1);
  server.create("ticks", 2);
  aws_environment const env(server.url());
  temporary_folder const folder;
  std::string const day = (*data / "ticks" / "binance-spot-20240808").string();
  REQUIRE(run_tool({"put", "day", day + ".ndjson.gz", "--key-field", "symbol"}, folder.path()).exit_code == 0);
  kinesis_stream const whole = server.stream("day");
  auto const& all = whole.shards()[0].records;
  std::size_t next = 0;
  auto const put_until = [&](std::size_t end) {
    for (; next != end; ++next) server.put("ticks", all[next].partition_key, all[next].data);
  };
  auto const expected = ticks::test::answer(day + ".bars-1s.csv");
  put_until(all.size() / 3);
  int changed = 0;
  auto const shards_change = [&] {
    std::size_t const bars = bars_in(folder.file("b")).size();
    if (changed == 0 && bars > 0) {
      server.split("ticks", "shardId-000000000000");
      put_until(all.size() * 2 / 3);
      ++changed;
    } else if (changed == 1 && bars > expected.size() / 3) {
      server.merge("ticks", "shardId-000000000003", "shardId-000000000001");
      put_until(all.size());
      for (std::size_t const shard : server.stream("ticks").open()) {
        std::string const key = key_in(server, shard);
        server.put("ticks", key, tick_of(1, "1", 1'723'165'201'000, key));
      }
      ++changed;
    }
    return bars == expected.size();
  };
  auto const e = run_ticks(reading({"--window", "1s", "--batch", "300"}), folder.path(), stopped_when(shards_change));
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(changed == 2);
  bool const same = bars_in(folder.file("b")) == expected;  // hundreds, which nobody would read
  CHECK(same);
}

TEST_CASE("an error that fails no partition ends the run all the same, and is said") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 1);
  aws_environment const env(server.url());
  temporary_folder const folder;
  bool gone = false;
  auto const lose_a_shard = [&] {  // before it is read to its end
    if (!gone && server.calls("GetRecords") > 0) {
      gone = true;
      server.split("ticks", "shardId-000000000000");
      server.trim("ticks", to_instant(std::chrono::system_clock::now() + 1h));
    }
    return false;
  };
  auto const e = run_ticks(reading(), folder.path(), stopped_when(lose_a_shard));
  INFO(e.err);
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains("ticks: kinesis: records are lost (stream ticks, partition shardId-000000000000)"));
}

TEST_CASE("what was put before the start is not read when the start is later") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 1);
  server.put("ticks", "k", tick_of(1, "10", 60'000));
  server.put("ticks", "k", tick_of(2, "11", 600'000));
  aws_environment const env("http://127.0.0.1:1");
  temporary_folder const folder;
  auto const run = [&](std::string const& start, std::string const& bars, std::function<bool()> until) {
    std::vector<std::string> const arguments{"--source", "kinesis",   "--stream", "ticks", "--endpoint", server.url(),
                                             "--region", "us-east-1", "--start",  start,   "--bars",     bars};
    auto const e = run_ticks(arguments, folder.path(), stopped_when(std::move(until)));
    INFO(e.err);
    CHECK(e.exit_code == 0);
    return bars_in(folder.file(bars));
  };
  CHECK(run("trim_horizon", "all", [&] { return !bars_in(folder.file("all")).empty(); })[0] == "A,60000,10,10,10,10,1,1");
  int minute = 11;
  std::size_t const reads = server.calls("GetRecords");  // from the first one on it is known where latest is
  auto const put_more = [&] {
    ++minute;
    if (server.calls("GetRecords") > reads) server.put("ticks", "k", tick_of(minute, "12", minute * 60'000));
    return bars_in(folder.file("new")).size() > 1;
  };
  auto const later = run("latest", "new", put_more);
  REQUIRE(later.size() > 1);
  for (auto const& row : later) CHECK_THAT(row, Contains(",12,12,12,12,1,1"));
}

TEST_CASE("a record that is no tick ends the run with its shard and number, or becomes a dead letter") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 1);
  server.put("ticks", "k", tick_of(1, "10", 60'000) + "\n");
  std::string const number = server.put("ticks", "k", R"({"symbol":"A","trade_id":2,"price":"x","size":"1","time":60001})");
  server.put("ticks", "k", tick_of(3, "12", 61'000));
  server.put("ticks", "k", tick_of(4, "13", 600'000));
  aws_environment const env(server.url());
  temporary_folder const folder;
  auto const failed = run_ticks(reading(), folder.path());
  INFO(failed.err);
  CHECK(failed.exit_code == 1);
  CHECK_THAT(failed.err, Contains("ticks: cannot use a record (stream ticks, partition shardId-000000000000, position " + number) &&
                             Contains(R"(field "price" is "x", not a decimal number)") && Contains("--on-broken-line dead-letter FILE"));
  auto const passed = run_ticks(reading({"--on-broken-line", "dead-letter", "bad"}), folder.path(),
                                stopped_when([&] { return !bars_in(folder.file("b")).empty(); }));
  INFO(passed.err);
  CHECK(passed.exit_code == 0);
  CHECK_THAT(passed.out, Contains("records that were no ticks: 1, see bad"));
  CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,60000,10,12,10,12,2,2"});
  CHECK_THAT(folder.read("bad"), Contains(R"("stream":"ticks","partition":"shardId-000000000000","position":")" + number) &&
                                     Contains(R"("text":"{\"symbol\":\"A\",\"trade_id\":2)"));
}

TEST_CASE("a symbol whose ticks come in two shards is refused, with what to do") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 2);
  for (std::size_t const shard : {0, 1}) {
    server.put("ticks", key_in(server, shard), tick_of(1, "10", 60'000));
    server.put("ticks", key_in(server, shard), tick_of(2, "10", 600'000));
  }
  aws_environment const env(server.url());
  temporary_folder const folder;
  auto const e = run_ticks(reading(), folder.path());
  INFO(e.err);
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains("ticks of A come in shardId-00000000000") && Contains("weir kinesis put --key-field symbol"));
}

TEST_CASE("a stream that cannot be read is one clear line") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  temporary_folder const folder;
  {
    aws_environment const env(server.url());
    auto const e = run_ticks(reading(), folder.path());
    CHECK(e.exit_code == 1);
    CHECK_THAT(e.err, Contains("ResourceNotFoundException") && Contains("stream ticks") && Contains("correct the name, the region"));
  }
  aws_environment const env(server.url(), "http://127.0.0.1:1", "other secret");
  auto const e = run_ticks(reading(), folder.path());
  INFO(e.err);
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains("signature") || Contains("Signature"));
}
