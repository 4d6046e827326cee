// `weir state` as a user meets it, on stores that the library has made.
#include "program.hpp"
#include "made_store.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace state_tool::test;
using Catch::Contains;
using weir::position;
using weir::test::entry;
using weir::test::head;
using weir::test::put;

namespace {

void flip(std::filesystem::path const& file, std::string const& in_text) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto const at = bytes.find(in_text);
  REQUIRE(at != std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(file, std::ios::binary) << bytes;
}

std::ptrdiff_t lines_of(std::string const& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("list shows the checkpoints of all pipelines, or of one") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  fill(s);
  auto const all = state({"list", s.name()}, s.folder());
  INFO(all.out << all.err);
  CHECK(all.exit_code == 0);
  CHECK(lines_of(all.out) == 4);
  CHECK_THAT(all.out, Contains("PIPELINE  STREAM   PARTITION  POSITION  WRITTEN AT") && Contains("2024-08-08T23:54:15.342Z") &&
                          Contains("bars      ticks    1                17  ") && Contains("clicks    web log  0               900  "));
  auto const one = state({"list", s.name(), "--pipeline", "clicks", "--json"}, s.folder());
  CHECK(one.exit_code == 0);
  CHECK_THAT(one.out, Catch::StartsWith(R"({"pipeline":"clicks","stream":"web log","partition":"0","position":"900",)"
                                        R"("written_at":"2024-08-08T23:54:15Z","age_seconds":)"));
  CHECK_THAT(one.out, Catch::EndsWith(R"(,"version":1,"writer":"run-1","entries":1,"bytes":18})"
                                      "\n"));
  auto const none = state({"list", s.name(), "--pipeline", "bar"}, s.folder());
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("there is no such checkpoint") && Contains("pipeline bar") && Contains("bars / ticks / 1"));
}

TEST_CASE("dump shows entries by operator and key, readable or in hexadecimal digits") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  fill(s);
  auto const all = state({"dump", s.name()}, s.folder());
  INFO(all.out << all.err);
  CHECK(all.exit_code == 0);
  CHECK_THAT(all.out, Contains("bars / ticks / 1: position 17, version 1, 2 entries, 29 bytes\n"
                               "OPERATOR  KEY     BYTES\n"
                               "dedup     0x0001      1\n"
                               "window    \"BTC\"      12\n"
                               "bars / ticks / 2: position 5.0.3, version 1, 0 entries, 0 bytes\n"
                               "clicks / web log / 0: position 900, version 1, 1 entry, 18 bytes\n"));
  auto const some = state({"dump", s.name(), "0x0001", "BTC", "--operator", "dedup", "--values", "--json"}, s.folder());
  CHECK(some.exit_code == 0);
  CHECK(some.out ==
        R"({"pipeline":"bars","stream":"ticks","partition":"1","operator":"dedup","key":"\u0000\u0001","bytes":1,"value_hex":"78"})"
        "\n");
  CHECK(state({"dump", s.name(), "ETH"}, s.folder()).exit_code == 1);
}

TEST_CASE("list, dump and verify say how operators lay out what they keep") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  s.commit(first, head(1, position(17)),
           {put("(schema)", "dedup", "dedup, 1 h; value u64 repeated"), put("(schema)", "window", "window, 1 min; one result"),
            put("dedup", "", "x"), put("window", "BTC", "open windows")});
  auto const listed = state({"list", s.name(), "--schemas"}, s.folder());
  INFO(listed.out << listed.err);
  CHECK(listed.exit_code == 0);
  CHECK(listed.out ==
        "PIPELINE  STREAM  PARTITION  OPERATOR  SCHEMA\n"
        "bars      ticks   1          dedup     dedup, 1 h; value u64 repeated\n"
        "bars      ticks   1          window    window, 1 min; one result\n");
  std::string const of_window =
      R"({"pipeline":"bars","stream":"ticks","partition":"1","operator":"window","schema":"window, 1 min; one result"})"
      "\n";
  CHECK_THAT(state({"list", s.name(), "--schemas", "--json"}, s.folder()).out, Catch::EndsWith(of_window));
  CHECK_THAT(state({"dump", s.name()}, s.folder()).out, Catch::EndsWith("OPERATOR  SCHEMA\n"
                                                                        "dedup     dedup, 1 h; value u64 repeated\n"
                                                                        "window    window, 1 min; one result\n"
                                                                        "OPERATOR  KEY    BYTES\n"
                                                                        "dedup     \"\"         1\n"
                                                                        "window    \"BTC\"     12\n"));
  CHECK(state({"dump", s.name(), "--operator", "window", "--json"}, s.folder()).out ==
        of_window + R"({"pipeline":"bars","stream":"ticks","partition":"1","operator":"window","key":"BTC","bytes":12})"
                    "\n");
  CHECK_THAT(state({"verify", s.name()}, s.folder()).out, Contains(", 2 operators say their schemas\n"));
}

TEST_CASE("verify says that all is sound, and finds a byte that was changed") {
  if (!ready()) return;
  made_store const s("sqlite");
  fill(s);
  auto const sound = state({"verify", s.name()}, s.folder());
  INFO(sound.out << sound.err);
  CHECK(sound.exit_code == 0);
  CHECK_THAT(sound.out, Contains("sound    bars / ticks / 1: position 17") && Contains("3 checkpoints, 0 damaged"));
  flip(s.path(), "open windows");
  auto const damaged = state({"verify", s.name()}, s.folder());
  INFO(damaged.out << damaged.err);
  CHECK(damaged.exit_code == 1);
  CHECK_THAT(damaged.out, Contains("DAMAGED  bars / ticks / 1: ") && Contains("operator window does not match its checksum") &&
                              Contains("sound    bars / ticks / 2") && Contains("3 checkpoints, 1 damaged"));
  flip(s.path(), "5.0.3");
  auto const json = state({"verify", s.name(), "--json", "--partition", "2"}, s.folder());
  CHECK(json.exit_code == 1);
  CHECK_THAT(json.out, Catch::StartsWith(R"({"pipeline":"bars","stream":"ticks","partition":"2","sound":false,"problem":"checkpoint: )"));
  auto const listed = state({"list", s.name()}, s.folder());
  CHECK(listed.exit_code == 1);
  CHECK_THAT(listed.out, Contains("DAMAGED") && Contains("900"));
  auto const erased = state({"erase", s.name(), "--pipeline", "bars", "--partition", "2", "--yes"}, s.folder());
  CHECK(erased.exit_code == 0);
  CHECK_THAT(erased.out, Contains("before  damaged: ") && Contains("after   no checkpoint"));
}

TEST_CASE("verify finds a byte that was changed in a folder of RocksDB") {
  if (!ready()) return;
  made_store const s("rocksdb");
  fill(s);
  CHECK(state({"verify", s.name()}, s.folder()).exit_code == 0);
  for (auto const& file : std::filesystem::directory_iterator(s.path()))
    if (file.path().extension() == ".sst" || file.path().extension() == ".log") {
      std::ifstream in(file.path(), std::ios::binary);
      std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      if (bytes.find("open windows") != std::string::npos) flip(file.path(), "open windows");
    }
  auto const damaged = state({"verify", s.name()}, s.folder());
  INFO(damaged.out << damaged.err);
  CHECK(damaged.exit_code == 1);
  CHECK_THAT(damaged.out + damaged.err, Contains("orruption"));
}

TEST_CASE("diff shows what two stores have in common, and what not") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  fill(s);
  fill(s, "t");
  auto const same = state({"diff", s.name(), s.name("t")}, s.folder());
  INFO(same.out << same.err);
  CHECK(same.exit_code == 0);
  CHECK_THAT(same.out, Contains("3 checkpoints compared, no difference"));
  s.commit(first, head(2, position(18), 1'723'161'255'342'000'000),
           {put("window", "BTC", "no windows"), put("window", "ETH", "1"), weir::state_change::erase_prefix("dedup", "")}, "t");
  s.commit({"bars", "ticks", "3"}, head(1, position(1)), {}, "t");
  auto const other = state({"diff", s.name(), s.name("t")}, s.folder());
  INFO(other.out << other.err);
  CHECK(other.exit_code == 1);
  CHECK_THAT(other.out, Contains("bars / ticks / 1:\n"
                                 "  position: 17 in A, 18 in B\n"
                                 "  version: 1 in A, 2 in B\n"
                                 "  operator dedup, key 0x0001: only in A (1 byte)\n"
                                 "  operator window, key \"BTC\": 12 bytes in A, 10 bytes in B\n"
                                 "  operator window, key \"ETH\": only in B (1 byte)\n"
                                 "bars / ticks / 3: only in B (position 1, version 1, 0 entries, 0 bytes)\n"
                                 "4 checkpoints compared, 2 differ\n"));
  CHECK(state({"diff", s.name(), s.name("t"), "--pipeline", "clicks"}, s.folder()).exit_code == 0);
  auto const partitions =
      state({"diff", s.name(), "--pipeline", "bars", "--partition", "1", "--with-partition", "2", "--json"}, s.folder());
  CHECK(partitions.exit_code == 1);
  CHECK_THAT(partitions.out, Contains(R"("partition":"1","differs":"position","a":"17","b":"5.0.3"})") &&
                                 Contains(R"("differs":"entry","operator":"window","key":"BTC","a_bytes":12,"b_bytes":null})"));
}

TEST_CASE("rewind goes back without state, when that is wanted, and a worker that ran meanwhile is refused") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  fill(s);
  auto const before = s.load(first);
  std::vector<std::string> const words{"rewind", s.name(), "--pipeline", "bars", "--stream", "ticks", "--partition", "1", "--to", "4"};
  auto const with = [&](std::vector<std::string> const& more) {
    auto all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  auto const refused = state(with({"--yes"}), s.folder());
  INFO(refused.out << refused.err);
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, Contains("it has state, 2 entries, that belongs to position 17") && Contains("--drop-state") &&
                              Contains("begin as new at 4") && Contains("pipeline bars"));
  for (char const* const answer : {"", "n\n", "no", "\n"}) CHECK(state(with({"--drop-state"}), s.folder(), answer).exit_code == 1);
  CHECK(s.load(first) == before);

  auto const done = state(with({"--drop-state"}), s.folder(), "y\n");
  INFO(done.out << done.err);
  CHECK(done.exit_code == 0);
  CHECK_THAT(done.err, Contains("Set it back from 17 to 4 and drop its state?"));
  CHECK_THAT(done.out, Contains("before  position 17, version 1, 2 entries, 29 bytes, written at 2024-08-08T23:54:15.342Z by run-1") &&
                           Contains("after   position 4, version 2, 0 entries, 0 bytes, written at "));
  auto const after = s.load(first).value();
  CHECK(after.head.position == position(4));
  CHECK(after.head.version == 2);
  CHECK(after.entries.empty());
  CHECK_THAT(after.head.writer, Catch::StartsWith("weir state rewind "));
  CHECK(s.load(second)->head.position == position(5, 0, 3));

  weir::test::fails_with(weir::errc::stale, [&] { s.commit(first, head(2, position(20))); }, "has version 2 at position 4");
  s.commit(first, head(3, position(9)), {put("window", "BTC", "again")});
  CHECK(s.load(first) == weir::saved_checkpoint(head(3, position(9)), {entry("window", "BTC", "again")}));
}

TEST_CASE("rewind keeps messages that were sent, and how many there were") {
  if (!ready()) return;
  made_store const s("sqlite");
  std::string const number = "t/00000000000000000007";
  s.commit(first, head(1, position(17)), {put("(outbox)", "t/", "7"), put("(outbox)", number, "payload")});
  auto const done = state({"rewind", s.name(), "--to", "4", "--yes"}, s.folder());
  INFO(done.out << done.err);
  CHECK(done.exit_code == 0);
  CHECK(s.load(first)->entries == std::vector{entry("(outbox)", "t/", "7"), entry("(outbox)", number, "payload")});
  s.commit(first, head(3, position(17)), {put("window", "BTC", "open")});
  CHECK(state({"rewind", s.name(), "--to", "5", "--yes"}, s.folder()).exit_code == 1);
  CHECK(state({"rewind", s.name(), "--to", "5", "--yes", "--drop-state"}, s.folder()).exit_code == 0);
  CHECK(s.load(first)->entries.size() == 2);
}

TEST_CASE("rewind never goes forward") {
  if (!ready()) return;
  made_store const s("sqlite");
  fill(s);
  auto const before = s.load(second);
  auto const to = [&](std::string const& where) {
    return state({"rewind", s.name(), "--partition", "2", "--to", where, "--yes"}, s.folder());
  };
  auto const forward = to("6");
  CHECK(forward.exit_code == 1);
  CHECK_THAT(forward.err, Contains("it is at position 5.0.3, and a checkpoint goes back only") && Contains("would be lost"));
  CHECK(to("5.0.3").exit_code == 0);
  CHECK(s.load(second) == before);
  CHECK(to("yesterday").exit_code == 2);
  CHECK(to("start").exit_code == 0);
  CHECK(s.load(second)->head.position == position());
  auto const unclear = state({"rewind", s.name(), "--pipeline", "bars", "--to", "1", "--yes"}, s.folder());
  CHECK(unclear.exit_code == 1);
  CHECK_THAT(unclear.err, Contains("it is not clear which checkpoint is meant") && Contains("bars / ticks / 1, bars / ticks / 2"));
}

TEST_CASE("rewind to a time goes back to what was done by then") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  std::string const at_four = "2024-08-08T22:00:00.000Z", at_nine = "2024-08-08T23:00:00.000Z";
  s.commit(first, head(1, position(17), 1'723'161'255'342'000'000),
           {put("(history)", at_four, "4"), put("(history)", at_nine, "9"), put("window", "BTC", "open")});
  auto const before = s.load(first);
  auto const to = [&](std::string const& when) { return state({"rewind", s.name(), "--to", when, "--yes", "--drop-state"}, s.folder()); };
  auto const too_early = to("2024-08-08T21:59:59Z");
  CHECK(too_early.exit_code == 1);
  CHECK_THAT(too_early.err,
             Contains("where it stood at 2024-08-08T21:59:59Z is not known") && Contains("back to position 4 at 2024-08-08T22:00:00Z"));
  auto const now = to("2024-08-09T00:00:00Z");
  CHECK(now.exit_code == 0);
  CHECK_THAT(now.out, Contains("it is there already"));
  CHECK(s.load(first) == before);

  auto const done = to("2024-08-08T23:30:00+00:00");
  INFO(done.out << done.err);
  CHECK(done.exit_code == 0);
  CHECK(s.load(first)->head.position == position(9));
  CHECK(s.load(first)->entries == std::vector{entry("(history)", at_four, "4"), entry("(history)", at_nine, "9")});
  CHECK(to("2024-08-08T22:00:00Z").exit_code == 0);
  CHECK(s.load(first)->head.position == position(4));
  CHECK(s.load(first)->entries == std::vector{entry("(history)", at_four, "4")});
}

TEST_CASE("erase forgets one checkpoint, when that is wanted") {
  if (!ready()) return;
  made_store const s(GENERATE("sqlite", "rocksdb"));
  fill(s);
  CHECK(state({"erase", s.name(), "--pipeline", "clicks"}, s.folder(), "n\n").exit_code == 1);
  CHECK(s.load(third));
  CHECK(state({"erase", s.name(), "--pipeline", "clicks", "--yes"}, s.folder()).exit_code == 0);
  CHECK_FALSE(s.load(third));
  CHECK(s.load(first));
  CHECK(state({"erase", s.name(), "--yes"}, s.folder()).exit_code == 1);
}

TEST_CASE("a store that does not exist is an error, and is not made") {
  if (!ready()) return;
  weir::test::temporary_folder const folder;
  auto const path = folder.path().string();
  folder.write("empty", "");
  std::filesystem::create_directory(folder / "folder");
  folder.write("text", "something else, which is no database");
  for (std::string const store :
       {"none", "sqlite:none", "sqlite:empty", "folder", "text", "rocksdb:none", "rocksdb:folder", "rocksdb:text"}) {
    auto const e = state({"list", store}, path);
    INFO(store << ": " << e.err);
    CHECK(e.exit_code == 1);
    CHECK(e.out.empty());
    CHECK_THAT(e.err, Contains(store.substr(store.find(':') + 1)));
    CHECK(lines_of(e.err) == 1);
  }
  CHECK_FALSE(std::filesystem::exists(folder / "none"));
  CHECK(std::filesystem::is_empty(folder / "folder"));
  CHECK(std::filesystem::file_size(folder / "empty") == 0);
}

TEST_CASE("passwords are not shown, whatever is wrong") {
  if (!ready()) return;
  weir::test::temporary_folder const folder;
  auto const path = folder.path().string();
  for (std::vector<std::string> const& words :
       std::vector<std::vector<std::string>>{{"list", "redis://u:s3cret@127.0.0.1:1/0"},
                                             {"list", "redis://u:s3cret@127.0.0.1:x/0"},
                                             {"list", "postgresql://u:s3cret@127.0.0.1:1/db"},
                                             {"list", "postgres:host=127.0.0.1 port=1 password=s3cret"},
                                             {"list", "postgres:host=127.0.0.1 port=1 password='s3cret"},
                                             {"list", "mysql://u:s3cret@127.0.0.1:1/db"},
                                             {"list", "none", "redis://u:s3cret@127.0.0.1:1/0"},
                                             {"lst", "redis://u:s3cret@127.0.0.1:1/0"},
                                             {"redis://u:s3cret@127.0.0.1:1/0", "list"},
                                             {"list", "none", "--password=s3cret"}}) {
    auto const e = state(words, path);
    INFO(words[1] << ": " << e.err << e.out);
    CHECK(e.exit_code != 0);
    CHECK_FALSE(e.err.empty());
    CHECK((e.err + e.out).find("s3cret") == std::string::npos);
  }
  auto const top = run_program({"redis://u:s3cret@127.0.0.1:1/0"}, path);
  CHECK(top.exit_code == 2);
  CHECK((top.err + top.out).find("s3cret") == std::string::npos);
}
