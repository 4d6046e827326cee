#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

using namespace fraud;

namespace {
weir::test::command_lines<options> const line("fraud", parse_command_line);
}  // namespace

TEST_CASE("without arguments the built-in logins are judged, and alerts go to standard output") {
  auto const o = line.good({});
  CHECK(o.input.empty());
  CHECK(o.alerts == "-");
  CHECK(o.count == 100'000);
  CHECK(o.bound == 10'000'000'000);
  CHECK(o.bound >= o.made.disorder);
  CHECK(o.judged_by.failures == 3);
  CHECK(o.judged_by.within == 300'000'000'000);
  CHECK(o.judged_by.max_speed == 1'000);
}

TEST_CASE("the flags reach the options") {
  auto const o = line.good({"--input", "l.ndjson", "--on-broken-line", "dead-letter", "bad", "--bound", "1m", "--failures", "5", "--within",
                            "90s", "--max-speed", "900.5", "--least-distance", "0", "--alerts", "out"});
  CHECK(o.input == "l.ndjson");
  CHECK(o.dead_letters == "bad");
  CHECK(o.bound == 60'000'000'000);
  CHECK(o.judged_by.failures == 5);
  CHECK(o.judged_by.within == 90'000'000'000);
  CHECK(o.judged_by.max_speed == 900.5);
  CHECK(o.judged_by.least_distance == 0);
  CHECK(o.alerts == "out");
  auto const made = line.good({"--accounts", "7", "--rate", "8", "--every", "9", "--disorder", "0s", "--seed", "10", "--count", "11"});
  CHECK(made.made.accounts == 7);
  CHECK(made.made.rate == 8);
  CHECK(made.made.every == 9);
  CHECK(made.made.disorder == 0);
  CHECK(made.made.seed == 10);
  CHECK(made.count == 11);
}

TEST_CASE("a mistake on the command line ends with 2, a question with 0") {
  line.check_mistakes({{"--no-such-flag"},
                       {"stray"},
                       {"--input", ""},
                       {"--input", "x", "--seed", "1"},
                       {"--on-broken-line", "fail"},
                       {"--failures", "0"},
                       {"--failures", "-1"},
                       {"--within", "0s"},
                       {"--max-speed", "0"},
                       {"--max-speed", "nan"},
                       {"--least-distance", "-1"},
                       {"--accounts", "0"},
                       {"--rate", "0"},
                       {"--every", "0"},
                       {"--count", "0"},
                       {"--seed", "-1"},
                       {"--alerts", ""}});
  line.check_questions({{"--help"}, {"--version"}});
}
