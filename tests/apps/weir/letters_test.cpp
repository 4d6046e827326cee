// `weir dead-letters` as a user meets it, on files that the library has made.
#include "program.hpp"

#include <weir/file/dead_letter_line.hpp>
#include <weir/sqlite/dead_letters.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace state_tool::test;
using Catch::Contains;
using weir::dead_letter;

namespace {

std::vector<dead_letter> three() {
  std::vector<dead_letter> all(3);
  for (std::size_t i = 0; i != all.size(); ++i) {
    dead_letter& l = all[i];
    l.pipeline = "ticks/bars";
    l.stream = "file t";
    l.partition = i == 2 ? "u" : "t";
    l.position = weir::position(100 + i, i);
    l.payload = std::vector<std::string>{"first", "second", std::string("\0third", 6)}[i];
    l.error = "tick: cannot decode";
    l.code = "weir:9";
    l.attempts = 2 + i;
    l.died_at = 1'723'161'255'342'000'000;  // 2024-08-08T23:54:15.342Z
  }
  return all;
}

// The letters, in a file "d" of the kind.
class letters {
public:
  letters(std::string const& kind, std::vector<dead_letter> const& all) {
    if (kind == "sqlite") {
      auto const store = std::make_shared<weir::sqlite::state_store>(folder_.file("d"));
      auto const table = weir::sqlite::dead_letter_table(store);
      weir::checkpoint_update u(weir::checkpoint_head(weir::position(1), 0, 1, "run-1"), {}, {table.write(all)});
      weir::testing::run(store->commit(weir::checkpoint_key("p", "s", "0"), std::move(u)));
    } else {
      std::string lines;
      for (dead_letter const& l : all) lines += weir::file::dead_letter_line(l) + "\n";
      folder_.write("d", lines);
    }
  }
  ending run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "dead-letters");
    return run_program(arguments, folder_.path().string());
  }
  weir::test::temporary_folder const& folder() const { return folder_; }

private:
  weir::test::temporary_folder folder_;
};

}  // namespace

TEST_CASE("dead-letters list shows which records were given up, when and why") {
  if (!ready()) return;
  letters const d(GENERATE("sqlite", "lines"), three());
  auto const all = d.run({"list", "d"});
  INFO(all.out << all.err);
  CHECK(all.exit_code == 0);
  CHECK(all.out ==
        "ID  PIPELINE    STREAM  PARTITION  POSITION  DIED AT                   ATTEMPTS  BYTES  REPLAYED  ERROR\n"
        " 1  ticks/bars  file t  t             100.0  2024-08-08T23:54:15.342Z         2      5  no        tick: cannot decode\n"
        " 2  ticks/bars  file t  t             101.1  2024-08-08T23:54:15.342Z         3      6  no        tick: cannot decode\n"
        " 3  ticks/bars  file t  u             102.2  2024-08-08T23:54:15.342Z         4      6  no        tick: cannot decode\n");
  auto const one = d.run({"list", "d", "--partition", "u", "--json"});
  CHECK(one.out ==
        R"({"id":3,"pipeline":"ticks/bars","stream":"file t","partition":"u","position":"102.2",)"
        R"("died_at":"2024-08-08T23:54:15.342Z","attempts":4,"code":"weir:9","error":"tick: cannot decode","payload":"\u0000third"})"
        "\n");
  CHECK(d.run({"list", "d", "--pipeline", "x"}).out.empty());
}

TEST_CASE("dead-letters show has all of one letter") {
  if (!ready()) return;
  letters const d(GENERATE("sqlite", "lines"), three());
  auto const text = d.run({"show", "d", "2"});
  INFO(text.out << text.err);
  CHECK(text.exit_code == 0);
  CHECK(text.out ==
        "pipeline   ticks/bars\nstream     file t\npartition  t\nposition   101.1\ndied at    2024-08-08T23:54:15.342Z\nattempts   3\n"
        "replayed   no\ncode       weir:9\nerror      tick: cannot decode\npayload    6 bytes\nsecond\n");
  CHECK_THAT(d.run({"show", "d", "3"}).out, Contains("payload    6 bytes, in hexadecimal digits\n007468697264\n"));
  auto const none = d.run({"show", "d", "7"});
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("there is no dead letter 7") && Contains("3 others"));
}

TEST_CASE("dead-letters replay writes payloads as lines, and a table remembers it") {
  if (!ready()) return;
  std::string const kind = GENERATE("sqlite", "lines");
  letters const d(kind, three());
  auto const one = d.run({"replay", "d", "2"});
  INFO(one.out << one.err);
  CHECK(one.exit_code == 0);
  CHECK(one.out == "second\n");
  CHECK_THAT(one.err, Contains("1 dead letter replayed"));
  auto const rest = d.run({"replay", "d", "--to", "again"});
  CHECK(rest.exit_code == 0);
  CHECK(rest.out.empty());
  std::string const first_and_third = std::string("first\n") + std::string("\0third\n", 7);
  if (kind == "sqlite") {
    CHECK(d.folder().read("again") == first_and_third);
    CHECK_THAT(rest.err, Contains("2 dead letters replayed, 1 were replayed before"));
    CHECK_THAT(d.run({"list", "d", "--json"}).out, Contains("\"replayed_at\":\"20"));
    CHECK(d.run({"replay", "d"}).out.empty());
  } else {
    CHECK(d.folder().read("again") == "first\nsecond\n" + std::string("\0third\n", 7));
  }
  CHECK(d.run({"replay", "d", "--partition", "t", "--again"}).out == "first\nsecond\n");
}

TEST_CASE("a payload that is no line is not replayed, and said so") {
  if (!ready()) return;
  auto all = three();
  all[1].payload = "two\nlines";
  letters const d("sqlite", all);
  auto const some = d.run({"replay", "d"});
  INFO(some.err);
  CHECK(some.exit_code == 1);
  CHECK(some.out == "first\n" + std::string("\0third\n", 7));
  CHECK_THAT(some.err, Contains("dead letter 2 has a line break") && Contains("2 dead letters replayed, 1 cannot be"));
}

TEST_CASE("lines of one record are one letter, an unfinished last line is none, other lines are an error") {
  if (!ready()) return;
  auto all = three();
  all.push_back(all[0]);
  all.back().attempts = 9;
  letters const d("lines", all);
  std::string const whole = d.folder().read("d");
  d.folder().write("d", whole + whole.substr(0, 30));
  auto const listed = d.run({"list", "d", "--json"});
  INFO(listed.out << listed.err);
  CHECK(listed.exit_code == 0);
  CHECK_THAT(listed.err, Contains("not finished"));
  CHECK_THAT(listed.out, Catch::StartsWith("{\"id\":1,") && Contains("\"attempts\":9") && !Contains("\"id\":4"));
  d.folder().write("d", "{}\n" + whole);
  auto const broken = d.run({"list", "d"});
  CHECK(broken.exit_code == 1);
  CHECK_THAT(broken.err, Contains("line 1 is no dead letter"));
  CHECK(d.run({"list", "nowhere"}).exit_code == 1);
}
