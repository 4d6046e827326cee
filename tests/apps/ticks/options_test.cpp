#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

#include <vector>

using namespace ticks;

namespace {
weir::test::command_lines<options> const line("ticks", parse_command_line);
}  // namespace

TEST_CASE("without arguments a million ticks of the built-in market become one-minute bars") {
  auto const o = line.good({});
  CHECK(o.what == options::task::bars);
  CHECK(o.input.empty());
  CHECK(o.made.symbols == 20);
  CHECK(o.made.rate == 1000);
  CHECK(o.made.seed == 42);
  CHECK(o.count == 1'000'000);
  CHECK(o.window == 60'000'000'000);
  CHECK(o.bars.place == "ticks.bars.sqlite");
  CHECK(o.checkpoints() == o.bars);
}

TEST_CASE("the flags reach the options") {
  auto const o = line.good({"--input",
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
  CHECK(o.fields.unit == command_line::time_unit::rfc3339);
  CHECK(o.bars.place == "b");
  CHECK(o.checkpoints().place == "c");
  CHECK(o.events == "-");
  CHECK(o.window == 300'000'000'000);
  CHECK(o.batch == 7);
  CHECK(o.show == 0);
  CHECK(o.dead_letters == "bad");
}

TEST_CASE("bars have their progress in the same place, unless it is told where else") {
  using command_line::store_kind;
  auto const o = line.good({"--bars", "postgres:host=h dbname=d"});
  CHECK(o.bars.kind == store_kind::postgres);
  CHECK(o.bars.place == "host=h dbname=d");
  CHECK(o.checkpoints() == o.bars);
  auto const apart = line.good({"--bars", "postgres:dbname=d", "--checkpoint", "sqlite:c"});
  CHECK(apart.checkpoints().kind == store_kind::sqlite);
  CHECK(apart.checkpoints().place == "c");
  CHECK_FALSE(apart.checkpoints() == apart.bars);
}

TEST_CASE("the source is the market, a file where one is given, or a stream or event hub that is asked for") {
  using source = options::source;
  CHECK(line.good({}).from == source::market);
  CHECK(line.good({"--source", "market", "--count", "5"}).from == source::market);
  CHECK(line.good({"--input", "a"}).from == source::file);
  CHECK(line.good({"--source", "file", "--input", "a"}).from == source::file);
  auto const o = line.good({"--source", "kinesis", "--stream", "ticks", "--endpoint", "http://h:1", "--region", "eu-west-1", "--start",
                            "2024-08-08T23:54:15Z", "--field-size", "q", "--on-broken-line", "dead-letter", "bad"});
  CHECK(o.from == source::kinesis);
  CHECK(o.kinesis.stream == "ticks");
  CHECK(o.kinesis.endpoint == "http://h:1");
  CHECK(o.kinesis.region == "eu-west-1");
  CHECK(o.start.what == command_line::reading_start::kind::time);
  CHECK(o.start.time == 1'723'161'255'000'000'000);
  CHECK(o.fields.size == "q");
  CHECK(o.dead_letters == "bad");
  CHECK(line.good({"--source", "kinesis", "--stream", "s"}).start.what == command_line::reading_start::kind::trim_horizon);
  CHECK(line.good({"--source", "kinesis", "--stream", "s", "--start", "latest"}).start.what == command_line::reading_start::kind::latest);
  auto const h = line.good({"--source", "eventhubs", "--hub", "ticks", "--connection-string", "Endpoint=sb://h/", "--group", "g", "--start",
                            "earliest", "--hub-endpoint", "tcp://h", "--field-size", "q", "--on-broken-line", "dead-letter", "bad"});
  CHECK(h.from == source::eventhubs);
  CHECK(h.hub.name == "ticks");
  CHECK(h.hub.connection_string == "Endpoint=sb://h/");
  CHECK(h.hub.endpoint == "tcp://h");
  CHECK(h.hub.group == "g");
  CHECK(h.start.what == command_line::reading_start::kind::trim_horizon);
  line.check_mistakes({{"--source", "file"},
                       {"--source", "kinesis"},
                       {"--source", "eventhubs", "--hub", "h"},
                       {"--source", "eventhubs", "--connection-string", "c", "--stream", "s"},
                       {"--source", "eventhubs", "--connection-string", "c", "--input", "a"},
                       {"--source", "eventhubs", "--connection-string", "c", "--speed", "1"},
                       {"--source", "kinesis", "--stream", "s", "--hub", "h"},
                       {"--hub", "h"},
                       {"--source", "kafka"},
                       {"--stream", "s"},
                       {"--input", "a", "--stream", "s"},
                       {"--endpoint", "http://h:1"},
                       {"--source", "market", "--input", "a"},
                       {"--source", "kinesis", "--stream", "s", "--input", "a"},
                       {"--source", "kinesis", "--stream", "s", "--follow"},
                       {"--source", "kinesis", "--stream", "s", "--count", "3"},
                       {"--source", "kinesis", "--stream", "s", "--speed", "1"},
                       {"--source", "kinesis", "--stream", "s", "--start", "yesterday"},
                       {"--field-size", "q"},
                       {"--time-unit", "s"},
                       {"--on-broken-line", "fail"}});
}

TEST_CASE("runs share a stream where bars and progress are in one database that all of them reach") {
  auto const with = [](std::vector<char const*> const& more) {
    std::vector<char const*> all{"--source", "kinesis", "--stream", "s"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  auto const o = line.good(with({"--leases", "t", "--bars", "postgres:dbname=b", "--failover", "3s"}));
  CHECK(o.leases == "t");
  CHECK(o.failover == 3'000'000'000);
  CHECK(line.good(with({})).leases.empty());
  line.check_mistakes({with({"--leases", "t"}),
                       with({"--leases", "t", "--bars", "b.sqlite"}),
                       with({"--leases", "t", "--bars", "postgres:dbname=b", "--checkpoint", "postgres:dbname=c"}),
                       with({"--leases", "t", "--bars", "postgres:dbname=b", "--checkpoint", "dynamodb:d"}),
                       with({"--leases", "", "--bars", "postgres:dbname=b"}),
                       with({"--failover", "3s"}),
                       {"--leases", "t", "--bars", "postgres:dbname=b"}});
}

TEST_CASE("the demonstration is a command with a naive variant") {
  CHECK(line.good({"demo"}).what == options::task::demo);
  CHECK_FALSE(line.good({"demo"}).naive);
  CHECK(line.good({"demo", "--naive"}).naive);
}

TEST_CASE("a mistake on the command line ends with 2, a question with 0") {
  line.check_mistakes({{"--no-such-flag"},
                       {"stray"},
                       {"--window", "1min"},
                       {"--window"},
                       {"--symbols", "0"},
                       {"--rate", "0"},
                       {"--count", "-5"},
                       {"--batch", "0"},
                       {"--speed", "-1"},
                       {"--speed", "nan"},
                       {"--input", "x", "--seed", "1"},
                       {"--follow"},
                       {"--input", ""},
                       {"--input", "x", "--format", "xml"},
                       {"--input", "x", "--time-unit", "fortnight"},
                       {"--input", "x", "--on-broken-line", "dead-letter"},
                       {"--input", "x", "--on-broken-line", "ignore"},
                       {"--bars", "mysql://u:pw@h/d"},
                       {"--bars", ""},
                       {"demo", "--no-such-flag"}});
  line.check_questions({{"--help"}, {"--version"}});
}

TEST_CASE("where the run can be watched is said by --status") {
  using how = options::watching;
  CHECK(line.good({}).watched == how::by_terminal);
  CHECK(line.good({"--status", "off"}).watched == how::off);
  auto const on = line.good({"--status", "on"});
  CHECK(on.watched == how::on);
  CHECK_FALSE(on.status_port);
  CHECK(line.good({"--status", "8080"}).status_port == 8080);
  line.check_mistakes({{"--status", "http"}, {"--status", "65536"}, {"--status", "-1"}, {"--status", ""}});
}
