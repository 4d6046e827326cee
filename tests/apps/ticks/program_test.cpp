// The program as a user meets it.
#include "program.hpp"
#include "messages.hpp"
#include "oracle.hpp"
#include "program_input.hpp"

#include "support/catch.hpp"
#include "support/sanitizer.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace ticks::test;
using Catch::Contains;
using weir::test::temporary_folder;

TEST_CASE("NDJSON, CSV and gzip of both give the same bars") {
  if (!ready()) return;
  std::string const csv =
      "time,symbol,size,price,trade_id,extra\n60000,A,1,10.0,1,x\n61000,A,2,12.5,2,\"y,z\"\n119999,A,4,11.0,3,\n120000,A,8,9.0,4,\n";
  temporary_folder const folder;
  folder.write("a.ndjson", good);
  folder.write("a.csv", csv);
  folder.write("a.ndjson.gz", gzip(good));
  folder.write("a.csv.gz", gzip(csv));
  folder.write("a.txt", csv);
  for (std::string const file : {"a.ndjson", "a.csv", "a.ndjson.gz", "a.csv.gz"}) {
    auto const e = run_program({"--input", file, "--bars", "bars of " + file}, folder.path());
    INFO(file << ": " << e.err);
    CHECK(e.exit_code == 0);
    CHECK(bars_in(folder.file("bars of " + file)) == good_bars);
  }
  CHECK(run_program({"--input", "a.txt", "--format", "csv", "--bars", "bars of text"}, folder.path()).exit_code == 0);
  CHECK(bars_in(folder.file("bars of text")) == good_bars);
}

TEST_CASE("fields may have other names, numbers may be numbers, ids may be absent, times may be RFC 3339") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", R"({"s":"A","p":10.0,"q":1,"t":"1970-01-01T00:01:00Z"})"
                    "\n"
                    R"({"t":"1970-01-01T00:01:01Z","q":2,"p":12.5,"s":"A"})"
                    "\n"
                    R"({"s":"A","p":11.0,"x":[{"p":1}],"q":4,"t":"1970-01-01T01:01:59.999+01:00"})"
                    "\n"
                    R"({"s":"A","p":9.0,"q":8,"t":"1970-01-01T00:02:00Z"})");
  auto const e = bars_of(folder, "a",
                         {"--field-symbol", "s", "--field-price", "p", "--field-size", "q", "--field-time", "t", "--field-trade-id", "",
                          "--time-unit", "rfc3339"});
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(bars_in(folder.file("b")) == good_bars);
}

TEST_CASE("time that goes back folds into its own minute") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a",
               line(4, "9.0", "8", 120'000) + line(3, "11.0", "4", 119'999) + line(1, "10.0", "1", 60'000) + line(2, "12.5", "2", 61'000));
  for (std::string const batch : {"1", "100"}) {
    auto const e = run_program({"--input", "a", "--bound", "1m", "--batch", batch, "--bars", "b" + batch}, folder.path());
    INFO(e.err);
    CHECK(e.exit_code == 0);
    CHECK(bars_in(folder.file("b" + batch)) == good_bars);
  }
}

TEST_CASE("a tick that comes when its bar has closed is told with its window, and counted") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good + line(5, "1.0", "16", 125'001) + line(6, "2.0", "32", 61'500));
  auto const e = bars_of(folder, "a", {"--late", "late"});
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,120000,9.0,9.0,1.0,1.0,24,2", "A,60000,10.0,12.5,10.0,11.0,7,3"});
  CHECK(folder.read("late") ==
        R"({"event":"tick:late","symbol":"A","trade_id":6,"price":"2.0","size":"32","time":61500,"window_start":60000,"window_end":120000})"
        "\n");
  CHECK_THAT(e.out, Contains("1 ticks came when their bar had closed"));
}

TEST_CASE("a trade that is delivered twice counts once where that is asked for") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good + line(4, "9.0", "8", 120'000));
  auto const e = bars_of(folder, "a", {"--dedup", "1m"});
  CHECK(e.exit_code == 0);
  CHECK(bars_in(folder.file("b")) == good_bars);
  CHECK_THAT(e.out, Contains("1 ticks were delivered more than once"));
  CHECK(run_program({"--input", "a", "--bars", "c"}, folder.path()).exit_code == 0);
  CHECK(bars_in(folder.file("c"))[0] == "A,120000,9.0,9.0,9.0,9.0,16,2");
}

TEST_CASE("early bars are in the table while they are open, and are not announced") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good + R"({"symbol":"A","trade_id":9})");  // ends the run before the second minute is over
  auto const e = bars_of(folder, "a", {"--early", "10s", "--bound", "0s", "--events", "-"});
  CHECK(e.exit_code == 1);
  CHECK(std::count(e.out.begin(), e.out.end(), '\n') == 0);
  CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,60000,10.0,12.5,10.0,11.0,7,3"});
}

TEST_CASE("events go to standard output when asked for, and nothing else does") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good);
  auto const e = bars_of(folder, "a", {"--events", "-"});
  INFO(e.err);
  CHECK(e.exit_code == 0);
  auto const sent = messages_in(e.out);
  REQUIRE(sent.size() == 2);
  CHECK_THAT(sent[0].identity, Catch::StartsWith(R"({"pipeline":"ticks/bars )") &&
                                   Catch::EndsWith(folder.file("a") + R"(","topic":"bar:closed","number":1)"));
  CHECK_THAT(sent[1].identity, Catch::EndsWith(R"("topic":"bar:closed","number":2)"));
  CHECK(
      sent[0].payload ==
      R"({"event":"bar:closed","symbol":"A","window_start":60000,"window_end":120000,"open":"10.0","high":"12.5","low":"10.0","close":"11.0","volume":"7","trades":3,"revision":1})");
  CHECK(
      sent[1].payload ==
      R"({"event":"bar:closed","symbol":"A","window_start":120000,"window_end":180000,"open":"9.0","high":"9.0","low":"9.0","close":"9.0","volume":"8","trades":1,"revision":1})");
}

TEST_CASE("a run says at its start what its bars and events are worth, by where its progress is") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good);
  CHECK_THAT(promise(bars_of(folder, "a", {"--events", "e"}).err),
             Contains("-> bars: effects exactly once (transactional sqlite); -> bar:closed: messages at least once, with identity (file)"));
  auto const apart = run_program({"--input", "a", "--bars", "c", "--checkpoint", "progress"}, folder.path());
  CHECK_THAT(promise(apart.err), Contains("-> bars: effects once in the end (idempotent sqlite)"));
  CHECK(bars_in(folder.file("c")) == good_bars);
  auto const asked = run_program({"--input", "a", "--bars", "c"}, folder.path());
  check_failure(asked);
  CHECK_THAT(asked.err, Contains("the progress of its bars was kept elsewhere") && Contains("--checkpoint"));
}

TEST_CASE("a file that grows after its end was reached has its last bar again, as the next revision") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good);
  REQUIRE(bars_of(folder, "a", {"--events", "e"}).exit_code == 0);
  REQUIRE(bars_of(folder, "a", {"--events", "e"}).exit_code == 0);
  CHECK(messages_in(folder.read("e")).size() == 2);
  folder.write("a", good + line(5, "8.0", "1", 121'000));
  REQUIRE(bars_of(folder, "a", {"--events", "e"}).exit_code == 0);
  CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,120000,9.0,9.0,8.0,8.0,9,2", good_bars[1]});
  auto const sent = messages_in(folder.read("e"));
  REQUIRE(sent.size() == 3);
  CHECK_THAT(sent[2].identity, Catch::EndsWith(R"("number":3)"));
  CHECK_THAT(sent[2].payload, Catch::EndsWith(R"("trades":2,"revision":2})"));
}

TEST_CASE("events nobody reads are an error, and come with the next run") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good);
  disturbance how;
  how.deaf = true;
  check_failure(run_program({"--input", "a", "--bars", "b", "--events", "-"}, folder.path(), how));
  auto const e = bars_of(folder, "a", {"--events", "-"});
  CHECK(e.exit_code == 0);
  CHECK(std::count(e.out.begin(), e.out.end(), '\n') == 2);
}

TEST_CASE("the built-in market makes the same bars in one run and in many, whatever the batch") {
  if (!ready()) return;
  temporary_folder const folder;
  auto const run = [&](std::string const& bars, std::string const& count, std::string const& batch) {
    auto const e = run_program({"--count", count, "--batch", batch, "--bars", bars, "--show", "0"}, folder.path());
    INFO(e.err);
    CHECK(e.exit_code == 0);
  };
  run("one", "100000", "16384");
  run("many", "1", "16384");
  run("many", "33333", "1000");
  run("many", "99999", "7777");
  run("many", "100000", "1");
  auto const bars = bars_in(folder.file("one"));
  CHECK(bars.size() > 30);
  CHECK(bars_in(folder.file("many")) == bars);
  CHECK(run_program({"--count", "10", "--seed", "7", "--bars", "one"}, folder.path()).exit_code == 1);
}

TEST_CASE("memory does not grow with the number of ticks") {
  if (weir::test::address_sanitizer && weir::test::skip("AddressSanitizer keeps freed memory")) return;
  if (!ready()) return;
  temporary_folder const folder;
  auto const peak = [&](std::string const& count) {
    auto const e = run_program({"--count", count, "--rate", "20000", "--bars", "b" + count, "--show", "0"}, folder.path());
    CHECK(e.exit_code == 0);
    return e.peak_kib;
  };
  long const little = peak("1000000");
  CHECK(little > 0);
  CHECK(peak("20000000") < little + 2'048);
}

TEST_CASE("a growing file is followed: a line counts when its end is there, and SIGTERM ends the waiting in order") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", line(1, "10.0", "1", 60'000) + R"({"symbol":"A","trade_id":2,"price":"12.5",)");
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    std::ofstream more(folder.file("a"), std::ios::app);
    more << R"("size":"2","time":61000})" << "\n" << line(3, "11.0", "4", 119'999) << line(4, "9.0", "8", 120'000) << std::flush;
  });
  disturbance how;
  how.after = std::chrono::milliseconds(2'500);
  how.signal = SIGTERM;
  auto const e = run_program({"--input", "a", "--follow", "--bound", "1s", "--events", "-", "--bars", "b"}, folder.path(), how);
  writer.join();
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,60000,10.0,12.5,10.0,11.0,7,3"});
  // The newest tick is not a second behind the end of the first minute: a second without ticks is what closes it.
  CHECK(std::count(e.out.begin(), e.out.end(), '\n') == 1);  // only the first minute is over
}

TEST_CASE("a market without end is stopped by SIGTERM in order") {
  if (!ready()) return;
  temporary_folder const folder;
  disturbance how;
  how.after = std::chrono::milliseconds(500);
  how.signal = SIGTERM;
  auto const e = run_program({"--count", "0", "--bars", "b"}, folder.path(), how);
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK_FALSE(bars_in(folder.file("b")).empty());
}

TEST_CASE("the demonstration ends with 63, the naive one with 71") {
  if (!ready()) return;
  temporary_folder const folder;
  auto const idempotent = run_program({"demo"}, folder.path());
  CHECK(idempotent.exit_code == 0);
  CHECK_THAT(idempotent.out, Contains("63"));
  auto const naive = run_program({"demo", "--naive"}, folder.path());
  CHECK(naive.exit_code == 0);
  CHECK_THAT(naive.out, Contains("71"));
}
