#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

using namespace weblog;
using command_line::late_policy;

namespace {
weir::test::command_lines<options> const line("weblog", parse_command_line);
}  // namespace

TEST_CASE("a log alone is counted with a bound of a minute, and late requests are dropped") {
  auto const o = line.good({"--input", "a.log.gz"});
  CHECK(o.input == "a.log.gz");
  CHECK(o.output == "weblog-results");
  CHECK(o.dead_letters.empty());
  CHECK(o.time.bound == 60'000'000'000);
  CHECK(o.time.late == late_policy::drop);
  CHECK(o.time.lateness == 3'600'000'000'000);
  CHECK(o.alert.above == 5);
  CHECK(o.alert.at_least == 20);
  CHECK(o.alert.errors_from == 500);
}

TEST_CASE("the flags reach the options") {
  auto const o = line.good({"-i", "a.log", "-o", "out", "--bound", "10s", "--late", "update", "--lateness", "5m", "--alert-above", "2.5",
                            "--alert-at-least", "0", "--errors-from", "400", "--on-broken-line", "dead-letter", "bad"});
  CHECK(o.input == "a.log");
  CHECK(o.output == "out");
  CHECK(o.time.bound == 10'000'000'000);
  CHECK(o.time.late == late_policy::update);
  CHECK(o.time.lateness == 300'000'000'000);
  CHECK(o.alert.above == 2.5);
  CHECK(o.alert.at_least == 0);
  CHECK(o.alert.errors_from == 400);
  CHECK(o.dead_letters == "bad");
  CHECK(line.good({"-i", "a", "--bound", "0s", "--late", "side"}).time.late == late_policy::side);
  CHECK(line.good({"-i", "a", "--bound", "0s"}).time.bound == 0);
  CHECK(line.good({"-i", "a", "--on-broken-line", "fail"}).dead_letters.empty());
}

TEST_CASE("a mistake on the command line ends with 2, a question with 0") {
  line.check_mistakes({{},
                       {"--no-such-flag"},
                       {"-i", "a", "stray"},
                       {"-i", ""},
                       {"-i", "a", "-o", ""},
                       {"-i", "a", "--bound", "soon"},
                       {"-i", "a", "--bound", "-1s"},
                       {"-i", "a", "--bound", "10"},
                       {"-i", "a", "--bound", "7301d"},
                       {"-i", "a", "--late", "ignore"},
                       {"-i", "a", "--lateness", "0s"},
                       {"-i", "a", "--alert-above", "101"},
                       {"-i", "a", "--alert-above", "-1"},
                       {"-i", "a", "--alert-above", "nan"},
                       {"-i", "a", "--alert-at-least", "-5"},
                       {"-i", "a", "--errors-from", "200"},
                       {"-i", "a", "--errors-from", "600"},
                       {"-i", "a", "--on-broken-line", "dead-letter"},
                       {"-i", "a", "--on-broken-line", "ignore"}});
  line.check_questions({{"--help"}, {"--version"}});
}

TEST_CASE("an alert needs enough requests and strictly more errors than allowed") {
  alert_rule rule;
  rule.above = 5;
  rule.at_least = 20;
  CHECK_FALSE(rule.is_met(100, 5));
  CHECK(rule.is_met(100, 6));
  CHECK_FALSE(rule.is_met(19, 19));
  CHECK(rule.is_met(20, 2));
  CHECK_FALSE(rule.is_error(404));
  CHECK(rule.is_error(500));
  rule.at_least = 0;
  CHECK_FALSE(rule.is_met(0, 0));
}
