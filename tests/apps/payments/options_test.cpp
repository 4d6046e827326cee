#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

using namespace payments;
using command_line::late_policy;

namespace {
weir::test::command_lines<options> const line("payments", parse_command_line);
}  // namespace

TEST_CASE("without arguments the demonstration runs in windows of a minute") {
  auto const o = line.good({});
  CHECK(o.input.empty());
  CHECK(o.window == 60'000'000'000);
  CHECK(o.time.bound == 10'000'000'000);
  CHECK(o.time.late == late_policy::drop);
  CHECK(o.horizon == 3'600'000'000'000);
  CHECK_FALSE(o.totals);
}

TEST_CASE("the flags reach the options") {
  auto const o = line.good({"--input", "p", "--on-broken-line", "dead-letter", "bad", "--window", "1h", "--bound", "1m", "--late", "update",
                            "--lateness", "2m", "--horizon", "3m"});
  CHECK(o.input == "p");
  CHECK(o.dead_letters == "bad");
  CHECK(o.window == 3'600'000'000'000);
  CHECK(o.time.bound == 60'000'000'000);
  CHECK(o.time.late == late_policy::update);
  CHECK(o.time.lateness == 120'000'000'000);
  CHECK(o.horizon == 180'000'000'000);
}

TEST_CASE("totals are kept in a file or in a server when one is named") {
  auto const o = line.good({"--input", "p", "--totals", "postgres:host=h dbname=d", "--batch", "7"});
  REQUIRE(o.totals);
  CHECK(o.totals->kind == command_line::store_kind::postgres);
  CHECK(o.totals->place == "host=h dbname=d");
  CHECK(o.batch == 7);
  CHECK(line.good({"--input", "p", "--totals", "t", "--late", "update"}).totals->place == "t");
}

TEST_CASE("a mistake on the command line ends with 2, a question with 0") {
  line.check_mistakes({{"--no-such-flag"},
                       {"stray"},
                       {"--input", ""},
                       {"--on-broken-line", "fail"},
                       {"--window", "0s"},
                       {"--bound", "x"},
                       {"--late", "x"},
                       {"--horizon", "9s"},
                       {"--totals", "t"},
                       {"--input", "p", "--totals", ""},
                       {"--input", "p", "--totals", "t", "--late", "side"},
                       {"--input", "p", "--totals", "t", "--batch", "0"},
                       {"--late", "update", "--horizon", "10m"},
                       {"--late", "update", "--lateness", "100000d"}});
  line.check_questions({{"--help"}, {"--version"}});
}

TEST_CASE("ids are remembered for as long as their payments can be counted") {
  CHECK(line.good({"--horizon", "10s"}).horizon == 10'000'000'000);
  CHECK(line.good({"--late", "update", "--lateness", "1m", "--horizon", "70s"}).horizon == 70'000'000'000);
}
