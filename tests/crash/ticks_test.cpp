// ticks, killed with SIGKILL again and again, against bars that another engine computed from the same trades (data/README.md of the shared
// folder).
#include "crash/kill_rounds.hpp"
#include "crash/place.hpp"

#include "apps/ticks/oracle.hpp"
#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace weir::test;

namespace {

// Each closing was announced at least once; again only in the same words.
void check_announced(std::string const& file, std::vector<std::string> const& bars) {
  std::ifstream in(file, std::ios::binary);
  std::map<std::string, std::string> told;  // by symbol, start and revision
  std::set<std::string> keys;
  for (std::string line; std::getline(in, line);) {
    INFO(line);
    auto const begin = line.find(R"("symbol":")") + 10, start = line.find(R"("window_start":)") + 15,
               revision = line.find(R"("revision":)");
    REQUIRE(revision != std::string::npos);
    std::string const key = line.substr(begin, line.find('"', begin) - begin) + ',' + line.substr(start, line.find(',', start) - start);
    auto const known = told.emplace(key + line.substr(revision), line).first;
    CHECK(known->second == line);
    keys.insert(key);
  }
  std::set<std::string> expected;
  for (auto const& row : bars) expected.insert(row.substr(0, row.find(',', row.find(',') + 1)));
  CHECK(keys == expected);
}

// Trades with answers where there are some; else those of the built-in market.
struct trades {
  std::vector<std::string> arguments{"--count", "20000", "--rate", "50", "--speed", "300"};
  std::vector<std::string> answer;
};
trades input() {
  trades all;
  auto const data = shared_data();
  if (!data) {
    skip("WEIR_SHARED names no folder with data: bars are compared with those of a calm run alone");
    return all;
  }
  auto const day = (*data / "ticks" / "binance-spot-20240808").string();
  // Six minutes in a second: bars are stored every tenth of it, and each time a checkpoint follows.
  all.arguments = {"--input", day + ".ndjson.gz", "--window", "1s", "--speed", "400"};
  all.answer = ticks::test::answer(day + ".bars-1s.csv");
  return all;
}

void kill_ticks(std::string const& what, std::function<std::unique_ptr<place>()> fresh) {
  auto const program = program_of("WEIR_TICKS_BINARY");
  if (!program && skip("WEIR_TICKS_BINARY names no program")) return;
  trades const from = input();
  std::string const select = "SELECT symbol, window_start, open, high, low, close, volume, trades FROM bars";
  victim const v{*program, std::move(fresh),
                 [&from](place const& in) {
                   auto all = from.arguments;
                   all.insert(all.end(), {"--bars", in.name(), "--events", "events", "--dedup", "1m", "--batch", "250", "--show", "0"});
                   return all;
                 },
                 select, [&select](place const& in) { check_announced(in.folder() + "/events", in.rows(select)); }};
  auto const report = kill_and_compare(what, v);
  if (!from.answer.empty()) CHECK(report.calm == from.answer);
  if (report.rounds >= 20) CHECK(report.half_way > 0);
}

}  // namespace

TEST_CASE("ticks is killed at random moments, with bars in SQLite: they are those of a calm run and of another engine", "[crash]") {
  kill_ticks("ticks, SQLite", sqlite_place);
}

TEST_CASE("ticks is killed at random moments, with bars in PostgreSQL: they are those of a calm run and of another engine", "[crash]") {
  if (auto* const server = postgres_server::running()) kill_ticks("ticks, PostgreSQL", [server] { return postgres_place(*server); });
}
