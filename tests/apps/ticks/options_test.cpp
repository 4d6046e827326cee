#include <options.hpp>

#include "support/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace ticks;

namespace {
std::optional<options> parse(std::initializer_list<char const*> arguments, int& exit_code) {
  std::vector<char const*> argv{"ticks"};
  argv.insert(argv.end(), arguments);
  return parse_command_line(static_cast<int>(argv.size()), argv.data(), exit_code);
}
options good(std::initializer_list<char const*> arguments) {
  int exit_code = -1;
  auto const o = parse(arguments, exit_code);
  REQUIRE(o);
  return *o;
}
}  // namespace

TEST_CASE("without arguments a million ticks of the built-in market become one-minute bars") {
  auto const o = good({});
  CHECK(o.what == options::task::bars);
  CHECK(o.input.empty());
  CHECK(o.made.symbols == 20);
  CHECK(o.made.rate == 1000);
  CHECK(o.made.seed == 42);
  CHECK(o.count == 1'000'000);
  CHECK(o.window == 60'000'000'000);
  CHECK(o.bars == "ticks.bars.sqlite");
  CHECK(o.checkpoint_file() == "ticks.bars.sqlite.checkpoint");
}

TEST_CASE("the flags reach the options") {
  auto const o = good({"--input",
                       "a.csv.gz",
                       "--format",
                       "csv",
                       "--follow",
                       "--speed",
                       "2.5",
                       "--field-symbol",
                       "s",
                       "--field-price",
                       "p",
                       "--field-size",
                       "q",
                       "--field-trade-id",
                       "",
                       "--field-time",
                       "t",
                       "--time-unit",
                       "rfc3339",
                       "--bars",
                       "b",
                       "--checkpoint",
                       "c",
                       "--events",
                       "-",
                       "--window",
                       "5m",
                       "--batch",
                       "7",
                       "--show",
                       "0",
                       "--on-broken-line",
                       "dead-letter",
                       "bad"});
  CHECK(o.input == "a.csv.gz");
  CHECK(o.format == options::input_format::csv);
  CHECK(o.follow);
  CHECK(o.speed == 2.5);
  CHECK(o.fields.symbol == "s");
  CHECK(o.fields.price == "p");
  CHECK(o.fields.size == "q");
  CHECK(o.fields.trade_id.empty());
  CHECK(o.fields.time == "t");
  CHECK(o.fields.unit == time_unit::rfc3339);
  CHECK(o.bars == "b");
  CHECK(o.checkpoint_file() == "c");
  CHECK(o.events == "-");
  CHECK(o.window == 300'000'000'000);
  CHECK(o.batch == 7);
  CHECK(o.show == 0);
  CHECK(o.dead_letters == "bad");
}

TEST_CASE("the demonstration is a command with a naive variant") {
  CHECK(good({"demo"}).what == options::task::demo);
  CHECK_FALSE(good({"demo"}).naive);
  CHECK(good({"demo", "--naive"}).naive);
}

TEST_CASE("a mistake on the command line ends with 2, a question with 0") {
  for (auto const& mistake : std::vector<std::vector<char const*>>{{"ticks", "--no-such-flag"},
                                                                   {"ticks", "stray"},
                                                                   {"ticks", "--window", "1min"},
                                                                   {"ticks", "--window"},
                                                                   {"ticks", "--symbols", "0"},
                                                                   {"ticks", "--rate", "0"},
                                                                   {"ticks", "--count", "-5"},
                                                                   {"ticks", "--batch", "0"},
                                                                   {"ticks", "--speed", "-1"},
                                                                   {"ticks", "--speed", "nan"},
                                                                   {"ticks", "--input", "x", "--seed", "1"},
                                                                   {"ticks", "--follow"},
                                                                   {"ticks", "--input", ""},
                                                                   {"ticks", "--input", "x", "--format", "xml"},
                                                                   {"ticks", "--input", "x", "--time-unit", "fortnight"},
                                                                   {"ticks", "--input", "x", "--on-broken-line", "dead-letter"},
                                                                   {"ticks", "--input", "x", "--on-broken-line", "ignore"},
                                                                   {"ticks", "demo", "--no-such-flag"}}) {
    int exit_code = -1;
    INFO(mistake[1]);
    CHECK_FALSE(parse_command_line(static_cast<int>(mistake.size()), mistake.data(), exit_code));
    CHECK(exit_code == 2);
  }
  int exit_code = -1;
  CHECK_FALSE(parse({"--help"}, exit_code));
  CHECK(exit_code == 0);
  CHECK_FALSE(parse({"--version"}, exit_code));
  CHECK(exit_code == 0);
}
