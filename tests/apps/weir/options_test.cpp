#include <options.hpp>

#include "apps/command_lines.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <vector>

using namespace state_tool;

namespace {
weir::test::command_lines<options> const line("weir", parse_command_line);
}  // namespace

TEST_CASE("the flags of weir state reach the options") {
  auto const list = line.good({"state", "list", "s", "--pipeline", "p", "--json"});
  CHECK(list.what == options::task::list);
  CHECK(list.store.kind == command_line::store_kind::sqlite);
  CHECK(list.store.place == "s");
  CHECK(list.which.pipeline == "p");
  CHECK_FALSE(list.which.stream);
  CHECK(list.json);
  auto const dump = line.good({"state", "dump", "rocksdb:s", "a", "0x00fF", "--operator", "o", "--values", "--stream", "t"});
  CHECK(dump.what == options::task::dump);
  CHECK(dump.store.kind == command_line::store_kind::rocksdb);
  CHECK(dump.keys == std::vector<std::string>{"a", std::string("\0\xff", 2)});
  CHECK(dump.operator_id == "o");
  CHECK(dump.values);
  CHECK(dump.which.stream == "t");
  auto const rewind = line.good({"state", "rewind", "s", "--partition", "3", "--to", "17.0.3", "--drop-state", "--yes"});
  CHECK(rewind.what == options::task::rewind);
  CHECK(rewind.to == weir::position(17, 0, 3));
  CHECK_FALSE(rewind.to_time);
  CHECK(line.good({"state", "rewind", "s", "--to", "2024-08-08T23:54:15.342Z"}).to_time == 1'723'161'255'342'000'000);
  CHECK(rewind.which.partition == "3");
  CHECK(rewind.drop_state);
  CHECK(rewind.yes);
  auto const diff = line.good({"state", "diff", "s", "redis://h", "--space", "x", "--schema", "y"});
  CHECK(diff.what == options::task::diff);
  CHECK(diff.other->kind == command_line::store_kind::redis);
  CHECK(diff.inside.space == "x");
  CHECK(diff.inside.schema == "y");
  CHECK(line.good({"state", "diff", "s", "--partition", "1", "--with-partition", "2"}).other_partition == "2");
  CHECK(line.good({"state", "verify", "s"}).what == options::task::verify);
  CHECK(line.good({"state", "erase", "s"}).what == options::task::erase);
  CHECK_FALSE(line.good({"state", "erase", "s"}).yes);
}

TEST_CASE("the flags of weir dead-letters reach the options") {
  using letters = letter_tool::options;
  auto const list = line.good({"dead-letters", "list", "d", "--pipeline", "p", "--json"}).letters.value();
  CHECK(list.what == letters::task::list);
  CHECK(list.place == "d");
  CHECK(list.which.pipeline == "p");
  CHECK(list.json);
  auto const show = line.good({"dead-letters", "show", "d", "7"}).letters.value();
  CHECK(show.what == letters::task::show);
  CHECK(show.ids == std::vector<std::uint64_t>{7});
  auto const replay = line.good({"dead-letters", "replay", "d", "3", "5", "--to", "f", "--again", "--partition", "t"}).letters.value();
  CHECK(replay.what == letters::task::replay);
  CHECK(replay.place == "d");
  CHECK(replay.ids == std::vector<std::uint64_t>{3, 5});
  CHECK(replay.to == "f");
  CHECK(replay.again);
  CHECK(replay.which.partition == "t");
  CHECK(line.good({"dead-letters", "replay", "d"}).letters.value().to == "-");
  CHECK_FALSE(line.good({"state", "list", "s"}).letters);
}

TEST_CASE("a mistake on the command line of weir ends with 2, a question with 0") {
  line.check_mistakes({{},
                       {"state"},
                       {"state", "list"},
                       {"state", "list", ""},
                       {"state", "list", "sqlite:"},
                       {"state", "list", "mysql://h"},
                       {"state", "list", "s", "t"},
                       {"state", "list", "s", "--no-such-flag"},
                       {"state", "lists", "s"},
                       {"state", "dump", "s", "0x1"},
                       {"state", "dump", "s", "0xzz"},
                       {"state", "diff", "s"},
                       {"state", "rewind", "s"},
                       {"state", "rewind", "s", "--to", "-1"},
                       {"state", "rewind", "s", "--to", "01"},
                       {"state", "rewind", "s", "--to", "2024-08-32T23:54:15Z"},
                       {"dead-letters"},
                       {"dead-letters", "list"},
                       {"dead-letters", "list", "d", "e"},
                       {"dead-letters", "show", "d"},
                       {"dead-letters", "show", "d", "x"},
                       {"dead-letters", "show", "d", "1", "2"},
                       {"dead-letters", "replay", "d", "-1"},
                       {"stat", "list", "s"}});
  line.check_questions({{"--help"},
                        {"--version"},
                        {"state", "--help"},
                        {"state", "list", "--help"},
                        {"state", "rewind", "--help"},
                        {"dead-letters", "--help"},
                        {"dead-letters", "replay", "--help"}});
}

TEST_CASE("the flags of weir lambda reach the options, and what is behind -- is the program's") {
  using words = std::vector<std::string>;
  auto const few = line.good({"lambda", "invoke", "e.json", "--", "./bootstrap"}).lambda.value();
  CHECK(few.events == words{"e.json"});
  CHECK(few.program == words{"./bootstrap"});
  CHECK(few.timeout == std::chrono::seconds(3));
  CHECK(few.redeliveries == 0);
  auto const all =
      line.good({"lambda", "invoke", "a", "-", "--timeout", "900", "--redeliver", "7", "--", "p", "--help", "--", "x"}).lambda.value();
  CHECK(all.events == words{"a", "-"});
  CHECK(all.program == words{"p", "--help", "--", "x"});
  CHECK(all.timeout == std::chrono::seconds(900));
  CHECK(all.redeliveries == 7);
  CHECK(line.good({"lambda", "invoke", "a", "--redeliver", "--", "p"}).lambda.value().redeliveries == 10);
  CHECK_FALSE(line.good({"state", "list", "s"}).lambda);
  line.check_mistakes({{"lambda"},
                       {"lambda", "invoke"},
                       {"lambda", "invoke", "e"},
                       {"lambda", "invoke", "e", "--"},
                       {"lambda", "invoke", "--", "p"},
                       {"lambda", "invoke", "e", "--timeout", "0", "--", "p"},
                       {"lambda", "invoke", "e", "--timeout", "901", "--", "p"},
                       {"lambda", "invoke", "e", "--redeliver", "0", "--", "p"},
                       {"lambda", "invoke", "e", "--no-such-flag", "--", "p"}});
  line.check_questions({{"lambda", "--help"}, {"lambda", "invoke", "--help"}, {"lambda", "invoke", "--help", "--", "p"}});
}

TEST_CASE("the flags of weir kinesis reach the options") {
  using state_tool::key_choice;
  using task = kinesis_tool::options::task;
  auto const of = [](std::vector<char const*> more) {
    more.insert(more.begin(), "kinesis");
    return *line.good(more).kinesis;
  };
  auto const put = of({"put", "s", "f", "--key-field", "k", "--aggregate", "--endpoint", "http://h:1", "--region", "r", "--any-order"});
  CHECK(put.what == task::put);
  CHECK(put.where.stream == "s");
  CHECK(put.where.endpoint == "http://h:1");
  CHECK(put.where.region == "r");
  CHECK(put.file == "f");
  CHECK(put.keys == key_choice::field);
  CHECK(put.key == "k");
  CHECK(put.aggregate_bytes == 51'200);
  CHECK_FALSE(put.in_order);
  CHECK(of({"put", "s"}).keys == key_choice::random);
  CHECK(of({"put", "s"}).file == "-");
  CHECK(of({"put", "s"}).aggregate_bytes == 0);
  CHECK(of({"put", "s", "--key", "x"}).keys == key_choice::fixed);
  CHECK(of({"put", "s", "--aggregate", "1000"}).aggregate_bytes == 1'000);
  auto const tail = of({"tail", "s", "--since", "trim_horizon", "-n", "3", "--shard", "a", "--shard", "b", "--json"});
  CHECK(tail.what == task::tail);
  CHECK(tail.start.what == command_line::reading_start::kind::trim_horizon);
  CHECK(tail.most == 3);
  CHECK(tail.shards == std::vector<std::string>{"a", "b"});
  CHECK(tail.json);
  CHECK(of({"tail", "s"}).start.what == command_line::reading_start::kind::latest);
  CHECK(of({"leases", "t"}).what == task::leases);
  auto const lag = of({"lag", "s", "--checkpoints", "dynamodb:t", "--pipeline", "p"});
  CHECK(lag.what == task::lag);
  CHECK(lag.checkpoints->kind == command_line::store_kind::dynamodb);
  CHECK(lag.pipeline == "p");
  CHECK(of({"lag", "s", "--leases", "t"}).lease_table == "t");
  line.check_mistakes({{"kinesis"},
                       {"kinesis", "put"},
                       {"kinesis", "put", "s", "--key", "x", "--key-field", "y"},
                       {"kinesis", "put", "s", "--key", ""},
                       {"kinesis", "put", "s", "--aggregate", "0"},
                       {"kinesis", "tail", ""},
                       {"kinesis", "tail", "s", "t"},
                       {"kinesis", "tail", "s", "-n", "0"},
                       {"kinesis", "tail", "s", "--since", "yesterday"},
                       {"kinesis", "lag", "s", "--pipeline", "p"},
                       {"kinesis", "lag", "s", "--leases", "t", "--checkpoints", "c"}});
  line.check_questions({{"kinesis", "--help"}, {"kinesis", "put", "--help"}});
}
