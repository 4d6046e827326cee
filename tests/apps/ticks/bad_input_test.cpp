// Input and output that are not as they should be: one clear line, a non-zero exit code, nothing lost.
#include "oracle.hpp"
#include "program.hpp"
#include "program_input.hpp"

#include "support/catch.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace ticks::test;
using Catch::Contains;
using Catch::StartsWith;
using weir::test::temporary_folder;

TEST_CASE("a file that cannot be read is one clear line, and no bars are made") {
  if (!ready()) return;
  temporary_folder const folder;
  auto e = bars_of(folder, "no-such-file");
  check_failure(e);
  CHECK_THAT(e.err, Contains("no-such-file") && Contains("No such file"));
  CHECK_FALSE(std::filesystem::exists(folder.file("b")));

  std::filesystem::create_directory(folder.file("folder"));
  e = bars_of(folder, "folder");
  check_failure(e);
  CHECK_THAT(e.err, Contains("folder") && Contains("irectory"));
}

TEST_CASE("a line that is no tick ends the run with file, line and byte, and what came before it is kept") {
  if (!ready()) return;
  struct row {
    std::string what, line, message;
  };
  for (row const& r :
       {row{"not JSON", "symbol A\n", ""},
        row{"cut off",
            R"({"symbol":"A","trade_id":5,"price":"1")"
            "\n",
            ""},
        row{"not UTF-8",
            R"({"symbol":"A)"
            "\xff"
            R"(","trade_id":5,"price":"1","size":"1","time":130000})"
            "\n",
            "UTF-8"},
        row{"no price",
            R"({"symbol":"A","trade_id":5,"size":"1","time":130000})"
            "\n",
            "price"},
        row{"wrong price", line(5, "1e5", "1", 130'000), "price"},
        row{"nothing for a price",
            R"({"symbol":"A","trade_id":5,"price":null,"size":"1","time":130000})"
            "\n",
            "price"},
        row{"a price of zero", line(5, "0", "1", 130'000), "price"}, row{"negative size", line(5, "10", "-1", 130'000), "size"},
        row{"wrong time",
            R"({"symbol":"A","trade_id":5,"price":"1","size":"1","time":"noon"})"
            "\n",
            "time"},
        row{"wrong id",
            R"({"symbol":"A","trade_id":"x","price":"1","size":"1","time":130000})"
            "\n",
            "trade_id"}}) {
    INFO(r.what);
    temporary_folder const folder;
    folder.write("a.ndjson", good + r.line + line(6, "13.0", "16", 130'000));
    auto const e = bars_of(folder, "a.ndjson");
    check_failure(e);
    CHECK_THAT(e.err, Contains("a.ndjson") && Contains("line 5") && Contains("byte") && Contains(r.message));
    CHECK(bars_in(folder.file("b")).empty());  // both minutes are still open

    // Corrected, the run goes on with what it has.
    folder.write("a.ndjson", good + line(5, "10", "1", 130'000) + line(6, "13.0", "16", 130'000));
    CHECK(bars_of(folder, "a.ndjson").exit_code == 0);
    CHECK(bars_in(folder.file("b")) == std::vector<std::string>{"A,120000,9.0,13.0,9.0,13.0,25,3", good_bars[1]});

    temporary_folder const other;
    other.write("a.ndjson", good + r.line + line(6, "13.0", "16", 130'000));
    auto const passed = bars_of(other, "a.ndjson", {"--on-broken-line", "dead-letter", "dead"});
    INFO(passed.err);
    CHECK(passed.exit_code == 0);
    CHECK(bars_in(other.file("b")) == std::vector<std::string>{"A,120000,9.0,13.0,9.0,13.0,24,2", good_bars[1]});
    auto const dead = other.read("dead");
    CHECK(std::count(dead.begin(), dead.end(), '\n') == 1);
    CHECK_THAT(passed.out + passed.err, Contains("1 ") && Contains("dead"));
  }
}

TEST_CASE("a line of a gigabyte is refused without being held in memory") {
  if (!ready()) return;
  temporary_folder const folder;
  std::string const before = good + line(5, "8.0", "1", 186'000);  // closes the minutes before
  folder.write("a.ndjson", before);
  std::filesystem::resize_file(folder.file("a.ndjson"), before.size() + (1U << 30));  // a hole: a line of zeros
  auto const e = bars_of(folder, "a.ndjson");
  check_failure(e);
  CHECK_THAT(e.err, Contains("a.ndjson") && Contains("line 6"));
  CHECK(bars_in(folder.file("b")) == good_bars);
}

TEST_CASE("a gzip file that is truncated or damaged is an error, and what came before is kept") {
  if (!ready()) return;
  std::string text;
  for (int i = 0; i != 5'000; ++i) text += line(i, std::to_string(100 + i % 37) + ".25", std::to_string(1 + i % 11), 60'000 + i);
  auto const whole = gzip(text);
  {
    temporary_folder const folder;
    folder.write("a.ndjson.gz", whole.substr(0, whole.size() / 2));
    auto const e = bars_of(folder, "a.ndjson.gz");
    check_failure(e);
    CHECK_THAT(e.err, Contains("a.ndjson.gz") && Contains("end before they are complete"));
    folder.write("a.ndjson.gz", whole);
    CHECK(bars_of(folder, "a.ndjson.gz").exit_code == 0);
    auto const bars = bars_in(folder.file("b"));
    REQUIRE(bars.size() == 1);
    CHECK_THAT(bars[0], Catch::EndsWith(",5000"));
  }
  temporary_folder const folder;
  auto damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(~damaged[damaged.size() / 2]);
  folder.write("a.ndjson.gz", damaged);
  check_failure(bars_of(folder, "a.ndjson.gz"));
}

TEST_CASE("output that cannot be written is one clear line") {
  if (!ready()) return;
  temporary_folder const folder;
  folder.write("a", good);
  auto e = run_program({"--input", "a", "--bars", "no/such/folder/b"}, folder.path());
  check_failure(e);
  CHECK_THAT(e.err, Contains("no/such/folder/b"));

  folder.write("text", std::string(10'000, 'x'));
  e = run_program({"--input", "a", "--bars", "text"}, folder.path());
  check_failure(e);
  CHECK_THAT(e.err, Contains("text"));
  CHECK(folder.read("text") == std::string(10'000, 'x'));

  e = run_program({"--input", "a", "--bars", "b", "--events", "/dev/full"}, folder.path());
  check_failure(e);
  CHECK_THAT(e.err, Contains("/dev/full") && Contains("No space left"));

  e = run_program({"--input", "a", "--bars", "b", "--events", "a"}, folder.path());
  check_failure(e);
  CHECK(folder.read("a") == good);
}

TEST_CASE("output that is read-only is one clear line, and nothing changes") {
  if (!ready()) return;
  temporary_folder const folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  folder.write("a", good);
  disturbance how;
  how.without_rights = true;
  REQUIRE(run_program({"--input", "a", "--bars", "b"}, folder.path(), how).exit_code == 0);
  auto const read_only = std::filesystem::perms::owner_read | std::filesystem::perms::group_read | std::filesystem::perms::others_read;
  folder.write("a", good + line(5, "10", "1", 130'000));
  std::filesystem::permissions(folder.file("b"), read_only);
  auto e = run_program({"--input", "a", "--bars", "b"}, folder.path(), how);
  check_failure(e);
  CHECK_THAT(e.err, Contains("b") && (Contains("read-only") || Contains("readonly") || Contains("ermission")));
  CHECK(bars_in(folder.file("b")) == good_bars);

  std::filesystem::create_directory(folder.file("locked"));
  std::filesystem::permissions(folder.file("locked"), read_only | std::filesystem::perms::owner_exec | std::filesystem::perms::others_exec);
  e = run_program({"--input", "a", "--bars", "locked/b"}, folder.path(), how);
  check_failure(e);
  CHECK_THAT(e.err, Contains("locked/b"));
}

TEST_CASE("a full disk is one clear line, and with room again the run goes on to the same bars") {
  if (!ready()) return;
  temporary_folder const folder;
  auto const disk = folder.file("disk");
  std::filesystem::create_directory(disk);
  if (::getuid() != 0 || ::mount("none", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    weir::test::skip("mounting a small file system needs root");
    return;
  }
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i != 4'000; ++i) {  // a bar each: some hundred bytes a bar
    text += line(i, "10.5", "2", i * 60'000L);
    expected.push_back("A," + std::to_string(i * 60'000L) + ",10.5,10.5,10.5,10.5,2,1");
  }
  std::sort(expected.begin(), expected.end());
  folder.write("a", text);
  auto const run = [&] { return run_program({"--input", "a", "--bars", "disk/b", "--batch", "100", "--show", "0"}, folder.path()); };
  auto const full = run();
  CHECK(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0);
  auto const e = run();
  auto const bars = bars_in(disk + "/b");
  ::umount(disk.c_str());
  check_failure(full);
  CHECK_THAT(full.err, Contains("disk/b") && Contains("full"));
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(bars == expected);
}

TEST_CASE("a mistake on the command line is one line and exit code 2") {
  if (!ready()) return;
  temporary_folder const folder;
  for (std::vector<std::string> const& arguments :
       {std::vector<std::string>{"--no-such-flag"}, {"--window", "soon"}, {"--input", "a", "--seed", "1"}}) {
    auto const e = run_program(arguments, folder.path());
    CHECK(e.exit_code == 2);
    CHECK(std::count(e.err.begin(), e.err.end(), '\n') == 1);
    CHECK_THAT(e.err, StartsWith("ticks: ") && Contains("--help"));
  }
  CHECK(std::filesystem::is_empty(folder.path()) == false);  // only what the test wrote
  CHECK_FALSE(std::filesystem::exists(folder.file("ticks.bars.sqlite")));
}
