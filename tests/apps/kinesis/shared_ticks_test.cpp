// Runs of `ticks` that share a stream by leases, and their bars in PostgreSQL.
#include "apps/kinesis/programs.hpp"
#include "crash/place.hpp"
#include "framework/state/postgres/server.hpp"
#include "support/catch.hpp"
#include "support/child_program.hpp"
#include "support/dynalite.hpp"
#include "support/kinesis_server.hpp"
#include "support/temporary_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace weir::test;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

constexpr int symbols = 8;

// Two trades of a minute in each symbol, at prices that the bars show: "S3,120000,2,3,2,3,2,2" of the second minute.
std::string trade_of(int symbol, int minute, int second) {
  return R"({"symbol":"S)" + std::to_string(symbol) + R"(","trade_id":)" + std::to_string(2 * minute + second) + R"(,"price":")" +
         std::to_string(minute + second) + R"(","size":"1","time":)" + std::to_string(minute * 60'000 + second * 1'000) + "}";
}
void put_minute(kinesis_server& server, int minute) {
  for (int symbol = 0; symbol != symbols; ++symbol)
    for (int const second : {0, 1}) server.put("ticks", "S" + std::to_string(symbol), trade_of(symbol, minute, second));
}
// Those of the minutes up to `last`.
std::vector<std::string> bars_up_to(int last) {
  std::vector<std::string> out;
  for (int symbol = 0; symbol != symbols; ++symbol) {
    for (int minute = 1; minute <= last; ++minute) {
      std::string const low = std::to_string(minute), high = std::to_string(minute + 1);
      out.push_back("S" + std::to_string(symbol) + "," + std::to_string(minute * 60'000) + "," + low + "," + high + "," + low + "," + high +
                    ",2,2");
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Who has leases.
std::set<std::string> owners_of_leases(temporary_folder const& folder) {
  constexpr std::string_view member = R"("owner":")";
  std::string const all = run_tool({"leases", "app", "--json"}, folder.path()).out;
  std::set<std::string> out;
  for (auto at = all.find(member); at != std::string::npos; at = all.find(member, at + 1)) {
    auto const begin = at + member.size(), end = all.find('"', begin);
    if (end != begin) out.insert(all.substr(begin, end - begin));
  }
  return out;
}

bool comes(std::function<bool()> const& what) {
  auto const longest = std::chrono::steady_clock::now() + 60s;
  while (!what()) {
    if (std::chrono::steady_clock::now() > longest) return false;
    ::usleep(20'000);
  }
  return true;
}

}  // namespace

TEST_CASE("two runs share a stream, and make its bars once, though one of them is killed") {
  if (!programs_ready()) return;
  postgres_server* const database = postgres_server::running();
  if (!database) return;
  auto const dynamodb = dynalite();
  if (!dynamodb) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 4);
  aws_environment const env(server.url(), dynamodb->url());
  temporary_folder const folder;
  auto const bars = postgres_place(*database);
  auto const start = [&] {
    std::string const program = program_of("WEIR_TICKS_BINARY").value();
    std::vector<std::string> const command{program,  "--source",   "kinesis",    "--stream", "ticks",  "--leases", "app",
                                           "--bars", bars->name(), "--failover", "2s",       "--show", "0"};
    return logged_program(folder.path(), command, folder.path() / "log");
  };
  auto const there = [&] { return bars->rows("SELECT symbol, window_start, open, high, low, close, volume, trades FROM bars"); };
  auto const has_bars_of = [&](int last) {
    auto const found = there(), wanted = bars_up_to(last);
    return std::includes(found.begin(), found.end(), wanted.begin(), wanted.end());
  };
  int minute = 0;
  auto const put_minutes = [&](int n) {  // what is put third closes the bars of the first
    for (; n != 0; --n) put_minute(server, ++minute);
  };

  put_minutes(3);
  auto const first = start();
  REQUIRE(comes([&] { return has_bars_of(1); }));
  bars->note_writes("bars", "symbol, window_start");
  auto const second = start();
  REQUIRE(comes([&] { return owners_of_leases(folder).size() == 2; }));
  put_minutes(3);
  CHECK(comes([&] { return has_bars_of(4); }));
  CHECK_FALSE(first->ended());
  first->send(SIGKILL);
  first->wait();
  put_minutes(3);
  CHECK(comes([&] { return has_bars_of(7); }));
  second->send(SIGTERM);
  INFO(folder.read("log"));
  CHECK(second->wait() == 0);
  auto const found = there(), right = bars_up_to(minute);
  CHECK(std::includes(right.begin(), right.end(), found.begin(), found.end()));
  CHECK(bars->rows("SELECT symbol, window_start, count(*) FROM said GROUP BY symbol, window_start HAVING count(*) > 1").empty());
}

TEST_CASE("a tick that is not under its symbol is refused by runs that share a stream") {
  if (!programs_ready()) return;
  postgres_server* const database = postgres_server::running();
  if (!database) return;
  auto const dynamodb = dynalite();
  if (!dynamodb) return;
  kinesis_server server(by_the_clock());
  server.create("ticks", 1);
  server.put("ticks", "S1", trade_of(1, 1, 0));
  server.put("ticks", "another", trade_of(1, 1, 1));
  aws_environment const env(server.url(), dynamodb->url());
  temporary_folder const folder;
  auto const bars = postgres_place(*database);
  auto const e = run_ticks({"--source", "kinesis", "--stream", "ticks", "--leases", "app", "--bars", bars->name()}, folder.path());
  INFO(e.err);
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains(R"(its partition key is "another", not its symbol "S1")") && Contains("--key-field symbol"));
}
