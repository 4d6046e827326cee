// The program against bars that another engine computed from the same trades (data/README.md of the shared folder).
#include "oracle.hpp"
#include "messages.hpp"
#include "program.hpp"

#include "support/catch.hpp"
#include "support/sanitizer.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace ticks::test;
using weir::test::temporary_folder;

namespace {

// Null, and the test is reported as skipped, where there is no data or no program.
std::optional<std::string> data() {
  auto const folder = weir::test::shared_data();
  if (!folder) weir::test::skip("WEIR_SHARED names no folder with data");
  else if (!binary()) weir::test::skip("WEIR_TICKS_BINARY names no program");
  else return (*folder / "ticks").string();
  return std::nullopt;
}

std::string const days[] = {"binance-spot-20240808", "binance-spot-20240809"};

}  // namespace

TEST_CASE("bars of real trades equal those of another engine in every column") {
  auto const ticks = data();
  if (!ticks) return;
  for (auto const& day : days) {
    for (std::string const window : {"1m", "1s"}) {
      for (std::string const batch : {"16384", "1000", "37"}) {
        if (batch == "37" && window == "1s") continue;
        INFO(day << " " << window << " in batches of " << batch);
        temporary_folder const folder;
        auto const e =
            run_program({"--input", *ticks + "/" + day + ".ndjson.gz", "--window", window, "--batch", batch, "--bars", "b"}, folder.path());
        INFO(e.err);
        CHECK(e.exit_code == 0);
        CHECK(bars_in(folder.file("b")) == answer(*ticks + "/" + day + ".bars-" + window + ".csv"));
      }
    }
  }
}

TEST_CASE("two days in one file of bars are the bars of both, in either order") {
  auto const ticks = data();
  if (!ticks) return;
  auto expected = answer(*ticks + "/" + days[0] + ".bars-1s.csv");
  for (auto& row : answer(*ticks + "/" + days[1] + ".bars-1s.csv")) expected.push_back(row);
  // The first day ends within the second in which the next begins: their two bars, merged by hand.
  auto const take = [&](std::string const& row) { REQUIRE(std::erase(expected, row) == 1); };
  take("BTCUSDT,1723161601000,61686.00000000,61686.00000000,61685.99000000,61685.99000000,0.04617000,4");
  take("BTCUSDT,1723161601000,61685.99000000,61686.00000000,61685.99000000,61686.00000000,0.11363000,14");
  expected.push_back("BTCUSDT,1723161601000,61686.00000000,61686.00000000,61685.99000000,61686.00000000,0.15980000,18");
  std::sort(expected.begin(), expected.end());
  for (int first : {0, 1}) {
    temporary_folder const folder;
    for (int day : {first, 1 - first}) {
      auto const e = run_program({"--input", *ticks + "/" + days[day] + ".ndjson.gz", "--window", "1s", "--bars", "b"}, folder.path());
      INFO(e.err);
      CHECK(e.exit_code == 0);
    }
    CHECK(bars_in(folder.file("b")) == expected);
  }
}

TEST_CASE("a second run over the same input changes nothing, with its checkpoint and without") {
  auto const ticks = data();
  if (!ticks) return;
  temporary_folder const folder;
  auto const run = [&] {
    return run_program({"--input", *ticks + "/" + days[0] + ".ndjson.gz", "--bars", "b", "--checkpoint", "c", "--events", "e"},
                       folder.path());
  };
  REQUIRE(run().exit_code == 0);
  auto const events = folder.read("e");
  CHECK(run().exit_code == 0);
  std::filesystem::remove(folder.file("c"));
  std::filesystem::remove(folder.file("c-wal"));
  std::filesystem::remove(folder.file("c-shm"));
  CHECK(run().exit_code == 0);
  auto const expected = answer(*ticks + "/" + days[0] + ".bars-1m.csv");
  CHECK(bars_in(folder.file("b")) == expected);
  // Without its checkpoint the run does not know what it has told: all of it again, in the same order with the same words.
  CHECK(folder.read("e") == events + events);
  CHECK(messages_in(events).size() == expected.size());
}

TEST_CASE("bars that were deleted are made again although the checkpoint is there") {
  auto const ticks = data();
  if (!ticks) return;
  temporary_folder const folder;
  for (int i = 0; i != 2; ++i) {
    for (auto const* name : {"b", "b-wal", "b-shm"}) std::filesystem::remove(folder.file(name));
    auto const e = run_program({"--input", *ticks + "/" + days[1] + ".ndjson.gz", "--bars", "b", "--checkpoint", "c"}, folder.path());
    INFO(e.err);
    CHECK(e.exit_code == 0);
    CHECK(bars_in(folder.file("b")) == answer(*ticks + "/" + days[1] + ".bars-1m.csv"));
  }
}

// Every moment between two system calls is one at which files are as they are; these are spread over the whole run, commits included.
TEST_CASE("a program killed at any system call goes on to exactly the same bars, and announces every bar") {
  if (weir::test::address_sanitizer && weir::test::skip("LeakSanitizer does not work under ptrace")) return;
  auto const ticks = data();
  if (!ticks) return;
  auto const input = *ticks + "/" + days[0] + ".ndjson.gz";
  auto const expected = answer(*ticks + "/" + days[0] + ".bars-1m.csv");
  std::vector<std::string> const arguments{"--input", input, "--bars", "b", "--events", "e", "--batch", "2000", "--show", "0"};

  temporary_folder const whole;
  disturbance never;
  never.kill_at_call = 1'000'000'000;
  auto const undisturbed = run_program(arguments, whole.path(), never);
  INFO(undisturbed.err);
  REQUIRE(undisturbed.exit_code == 0);
  REQUIRE(bars_in(whole.file("b")) == expected);
  long const calls = static_cast<long>(undisturbed.calls.size());
  REQUIRE(calls > 100);

  long const step = std::max(1L, calls / 60);
  int killed = 0;
  for (long call = 1; call < calls; call += step) {
    temporary_folder const folder;
    disturbance how;
    how.kill_at_call = call;
    if (run_program(arguments, folder.path(), how).signal == SIGKILL) ++killed;
    auto const e = run_program(arguments, folder.path());
    INFO("killed at call " << call << " of " << calls << "\n" << e.err);
    REQUIRE(e.exit_code == 0);
    REQUIRE(bars_in(folder.file("b")) == expected);
    std::map<std::string, std::string> told;  // what comes again is the same
    for (sent const& m : messages_in(folder.read("e"))) REQUIRE(told.emplace(m.identity, m.bar).first->second == m.bar);
    std::vector<std::string> bars;
    for (auto const& one : told) bars.push_back(one.second);
    std::sort(bars.begin(), bars.end());
    REQUIRE(bars == expected);
  }
  CHECK(killed > 50);
}

TEST_CASE("a program killed again and again, at any time, gets there in the end with exactly the same bars") {
  auto const ticks = data();
  if (!ticks) return;
  temporary_folder const folder;
  std::vector<std::string> const arguments{"--input", *ticks + "/" + days[1] + ".ndjson.gz", "--bars", "b", "--batch", "100", "--show",
                                           "0"};
  int kills = 0;
  for (int after = 5;; after += 3) {
    disturbance how;
    how.after = std::chrono::milliseconds(after);
    how.signal = SIGKILL;
    auto const e = run_program(arguments, folder.path(), how);
    if (e.signal == SIGKILL) {
      ++kills;
      continue;
    }
    INFO(e.err);
    REQUIRE(e.exit_code == 0);
    break;
  }
  CHECK(kills > 0);
  CHECK(bars_in(folder.file("b")) == answer(*ticks + "/" + days[1] + ".bars-1m.csv"));
}

TEST_CASE("SIGINT and SIGTERM end the program in order, and the next run goes on to exactly the same bars") {
  auto const ticks = data();
  if (!ticks) return;
  for (int const signal : {SIGINT, SIGTERM}) {
    temporary_folder const folder;
    std::vector<std::string> const arguments{"--input", *ticks + "/" + days[0] + ".ndjson.gz", "--bars", "b", "--events", "e", "--show",
                                             "0"};
    auto slowly = arguments;
    slowly.insert(slowly.end(), {"--speed", "100"});  // the day's six minutes in four seconds
    disturbance how;
    how.after = std::chrono::milliseconds(1'500);
    how.signal = signal;
    auto const e = run_program(slowly, folder.path(), how);
    INFO(e.err);
    CHECK(e.exit_code == (signal == SIGINT ? 130 : 0));
    CHECK(e.signal == 0);
    auto const part = bars_in(folder.file("b"));
    auto const expected = answer(*ticks + "/" + days[0] + ".bars-1m.csv");
    CHECK_FALSE(part.empty());
    CHECK(part != expected);
    CHECK(run_program(arguments, folder.path()).exit_code == 0);
    CHECK(bars_in(folder.file("b")) == expected);
    // A drain closes nothing and repeats nothing: one announcement per bar.
    auto const events = folder.read("e");
    CHECK(messages_in(events).size() == expected.size());
    CHECK(events.find(R"(\"revision\":2)") == std::string::npos);
  }
}
