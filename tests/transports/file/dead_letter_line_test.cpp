#include <weir/file/dead_letter_line.hpp>

#include "support/catch.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;

namespace {

dead_letter some() {
  dead_letter l;
  l.pipeline = "ticks/bars";
  l.stream = "file \"t\"";
  l.partition = "t\\1";
  l.position = position(312, 5);
  l.payload = "a\tb \xc3\xa9";
  l.error = "tick: cannot decode";
  l.code = "weir:9";
  l.attempts = 3;
  l.died_at = 1'723'161'255'342'000'000;
  return l;
}

}  // namespace

// The quoting is that of RFC 8259 section 7; the time was converted by date(1).
TEST_CASE("a dead letter is a line of JSON", "[file][failures]") {
  CHECK(file::dead_letter_line(some()) ==
        R"({"pipeline":"ticks/bars","stream":"file \"t\"","partition":"t\\1","position":"312.5","died_at":"2024-08-08T23:54:15.342Z",)"
        R"("attempts":3,"code":"weir:9","error":"tick: cannot decode","payload":"a\u0009b é"})");
}

TEST_CASE("bytes that are no text are written in hexadecimal digits", "[file][failures]") {
  dead_letter l = some();
  l.payload = std::string("\0\xff\n", 3);
  std::string const line = file::dead_letter_line(l);
  CHECK(line.find(R"("payload_hex":"00ff0a"})") != std::string::npos);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(file::parse_dead_letter(line) == l);
}

TEST_CASE("a line is read back to an equal letter, with its members in any order", "[file][failures]") {
  CHECK(file::parse_dead_letter(file::dead_letter_line(some())) == some());
  dead_letter const empty;
  CHECK(file::parse_dead_letter(file::dead_letter_line(empty)) == empty);
  dead_letter l = some();
  l.stream = "s";
  l.partition = "0";
  l.payload = "x";
  CHECK(file::parse_dead_letter(R"( {"payload": "x", "error": "tick: cannot decode", "code": "weir:9", "attempts": 3, "more": null,
      "died_at": "2024-08-08T23:54:15.342Z", "position": "312.5", "partition": "0", "stream": "s", "pipeline": "ticks/bars"})") == l);
}

TEST_CASE("what is no dead letter is not taken for one", "[file][failures]") {
  std::string const whole = file::dead_letter_line(some());
  for (std::size_t n = 0; n != whole.size(); ++n) CHECK_FALSE(file::parse_dead_letter(whole.substr(0, n)));
  std::vector<std::pair<std::string, std::string>> const mistakes{{"312.5", "312,5"},
                                                                  {"2024-08", "2024-13"},
                                                                  {"\"attempts\":3", "\"attempts\":\"3\""},
                                                                  {"\"attempts\":3", "\"attempts\":-3"},
                                                                  {"\"payload\"", "\"payload_hex\""},
                                                                  {"\"code\"", "\"kode\""}};
  for (auto const& [from, to] : mistakes) {
    std::string changed = whole;
    changed.replace(changed.find(from), from.size(), to);
    CHECK_FALSE(file::parse_dead_letter(changed));
  }
}
