// ticks, killed with SIGKILL again and again, against bars that another engine computed from the same trades (data/README.md of the shared
// folder).
#include "crash/kill_rounds.hpp"
#include "crash/place.hpp"

#include "apps/ticks/messages.hpp"
#include "apps/ticks/oracle.hpp"
#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace weir::test;

namespace {

// Each bar was announced, as the table has it; what came again has the identity and the words it had.
void check_announced(std::string const& file, std::vector<std::string> const& bars) {
  std::ifstream in(file, std::ios::binary);
  std::map<std::string, std::string> told;  // by identity
  std::vector<std::string> all;
  for (ticks::test::sent const& m : ticks::test::messages_in(std::string(std::istreambuf_iterator<char>(in), {}))) {
    INFO(m.line);
    auto const [known, first] = told.emplace(m.identity, m.payload);
    CHECK(known->second == m.payload);
    CHECK(m.identity.ends_with(R"("topic":"bar:closed","number":)" + ticks::test::member(m.identity + "}", "number")));
    if (first) all.push_back(m.bar);
  }
  std::sort(all.begin(), all.end());
  CHECK(all.size() == bars.size());
  CHECK((all == bars));
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
  // Six minutes in a second, with a checkpoint after every 250 trades.
  all.arguments = {"--input", day + ".ndjson.gz", "--window", "1s", "--speed", "400"};
  all.answer = ticks::test::answer(day + ".bars-1s.csv");
  return all;
}

enum class progress { with_bars, elsewhere };
void kill_ticks(std::string const& what, std::function<std::unique_ptr<place>()> const& fresh, progress where = progress::with_bars) {
  auto const program = program_of("WEIR_TICKS_BINARY");
  if (!program && skip("WEIR_TICKS_BINARY names no program")) return;
  trades const from = input();
  temporary_folder const folder;
  auto const nothing = folder.write("nothing.ndjson", "");
  std::vector<std::string> const how{"--events", "events", "--dedup", "1m", "--batch", "250", "--show", "0"};
  auto const arguments = [&](std::vector<std::string> all, place const& in) {
    all.insert(all.end(), {"--bars", in.name()});
    all.insert(all.end(), how.begin(), how.end());
    if (where == progress::elsewhere) all.insert(all.end(), {"--checkpoint", "progress"});
    return all;
  };
  std::string const columns = "symbol, window_start, open, high, low, close, volume, trades";
  // A run over nothing makes the table; the built-in market has no such thing.
  bool const noted = from.arguments[0] == "--input";
  auto const noting = [&] {
    auto made = fresh();
    if (!noted) return made;
    REQUIRE(run_program(*program, arguments({"--input", nothing, "--window", "1s"}, *made), made->folder()).exit_code == 0);
    made->note_writes("bars", columns);
    return made;
  };
  std::string const select = "SELECT " + columns + " FROM bars", said = "SELECT " + columns + " FROM said";
  // Where bars and progress are in one transaction, each bar is written once, whatever happens.
  auto const check_more = [&](place const& in) {
    auto const bars = in.rows(select);
    check_announced(in.folder() + "/events", bars);
    if (!noted) return;
    auto const written = in.rows(said);
    CHECK(written.size() >= bars.size());
    if (where == progress::with_bars) CHECK((written == bars));
  };
  victim const v{*program, noting, [&](place const& in) { return arguments(from.arguments, in); }, select, check_more};
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

TEST_CASE("ticks is killed at random moments, with its progress apart from its bars: they are written again, the same ones", "[crash]") {
  kill_ticks("ticks, progress elsewhere", sqlite_place, progress::elsewhere);
}
