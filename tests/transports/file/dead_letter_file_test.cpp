#include <weir/file/dead_letter_file.hpp>

#include <weir/application.hpp>
#include <weir/error.hpp>
#include <weir/failure_policy.hpp>
#include <weir/file/dead_letter_line.hpp>
#include <weir/file/use_file_stream.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using test::fails_with;

namespace {

std::vector<dead_letter> letters_in(std::string const& text) {
  std::vector<dead_letter> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(file::parse_dead_letter(line).value());
  return out;
}

task<std::shared_ptr<store_write>> give(dead_letter_sink& to, std::string payload) {
  dead_letter l;
  l.payload = std::move(payload);
  return to.take(std::move(l));
}

}  // namespace

TEST_CASE("lines of a file that a handler cannot use become dead letters with their text and position", "[file][failures]") {
  test::temporary_folder const folder;
  std::string const input = folder.write("in", "one\ntwo\n\xff!\nfour\n"), dead = folder.file("dead");
  std::vector<std::string> seen;
  settings s;
  s.name = "test";
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  application app(std::move(s));
  app.use_file_stream({.paths = {input}}, [&](auto& pipeline) {
    pipeline.name("lines")
        .on_failure(failure_policy().dead_letter_to(std::make_shared<file::dead_letter_file>(dead)))
        .use_stream([&](stream<file::record> records, cancellation) -> task<> {
          while (file::record* r = co_await records.next()) {
            if (r->line().size() < 3 || r->line() == "two") throw std::runtime_error("cannot be used");
            seen.emplace_back(r->line());
          }
        });
  });
  testing::run(app.serve());
  CHECK(seen == std::vector<std::string>{"one", "four"});
  auto const letters = letters_in(folder.read("dead"));
  REQUIRE(letters.size() == 2);
  CHECK(letters[0].payload == "two");
  CHECK(letters[0].pipeline == "test/lines");
  CHECK(letters[0].partition == input);
  CHECK(letters[0].position == position(8, 2));  // the byte behind the line, and its number
  CHECK(letters[0].error == "cannot be used");
  CHECK(letters[1].payload == "\xff!");
  CHECK(letters[1].position == position(11, 3));
}

TEST_CASE("letters are added to those of earlier runs; what a crash has left of a line is cut off", "[file][failures]") {
  test::temporary_folder const folder;
  {
    file::dead_letter_file first(folder.file("dead"));
    testing::run(give(first, "a"));
  }
  std::string const before = folder.read("dead");
  folder.write("dead", before + before.substr(0, 40));
  file::dead_letter_file second(folder.file("dead"));
  testing::run(give(second, "b"));
  auto const letters = letters_in(folder.read("dead"));
  REQUIRE(letters.size() == 2);
  CHECK(letters[0].payload == "a");
  CHECK(letters[1].payload == "b");
}

TEST_CASE("a file that cannot be written is refused at once", "[file][failures]") {
  test::temporary_folder const folder;
  CHECK_THROWS_WITH(file::dead_letter_file(folder.file("no/such")), Catch::Contains("dead letters: cannot open"));
}

TEST_CASE("a full disk is an error of the letter", "[file][failures]") {
  file::dead_letter_file full("/dev/full");
  CHECK_THROWS_WITH(testing::run(give(full, "a")), Catch::Contains("/dev/full"));
}
