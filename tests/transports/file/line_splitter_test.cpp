#include <weir/file/line_splitter.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using weir::file::line_splitter;
using weir::file::text_line;
using outcome = line_splitter::outcome;

namespace {

struct seen {
  std::string text;
  std::uint64_t offset = 0, next = 0, number = 0;
  bool fits = true;
  bool operator==(seen const&) const = default;
};

std::ostream& operator<<(std::ostream& out, seen const& s) {
  return out << '"' << s.text << "\" " << s.offset << ".." << s.next << " #" << s.number << (s.fits ? "" : " too long");
}

// Gives `text` to a splitter in pieces that end where `cuts` says.
std::vector<seen> split(std::string const& text, std::vector<std::size_t> cuts, std::size_t max_line = 1000, bool at_end = true) {
  line_splitter splitter(max_line);
  std::vector<seen> all;
  std::string window;
  std::size_t given = 0;
  cuts.push_back(text.size());
  auto const take = [&](bool last) {
    std::string_view rest(window);
    text_line line;
    while (true) {
      auto const o = last ? splitter.finish(rest, line) : splitter.next(rest, line);
      if (o == outcome::more) break;
      bool const fits = o == outcome::line;
      all.push_back({std::string(line.text), line.offset, fits ? line.next : 0, line.number, fits});
    }
    window = std::string(rest);
    CHECK(splitter.offset() == given - window.size());
  };
  for (std::size_t const cut : cuts) {
    window += text.substr(given, cut - given);
    given = cut;
    take(false);
  }
  if (at_end) take(true);
  return all;
}

// The same by the definition, one byte at a time.
std::vector<seen> oracle(std::string const& text, std::size_t max_line) {
  std::vector<seen> all;
  std::size_t begin = 0;
  std::uint64_t number = 0;
  while (begin < text.size()) {
    std::size_t end = begin;
    while (end < text.size() && text[end] != '\n') ++end;
    bool const broken = end < text.size();
    std::string line = text.substr(begin, end - begin);
    std::size_t const next = broken ? end + 1 : end;
    if (broken && !line.empty() && line.back() == '\r') line.pop_back();
    bool const fits = line.size() <= max_line;
    all.push_back({line.substr(0, max_line), begin, fits ? next : 0, ++number, fits});
    begin = next;
  }
  return all;
}

std::vector<std::size_t> every_byte(std::string const& text) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 1; i < text.size(); ++i) cuts.push_back(i);
  return cuts;
}

void check_all_splits(std::string const& text, std::vector<seen> const& expected, std::size_t max_line = 1000) {
  CHECK(split(text, {}, max_line) == expected);
  CHECK(split(text, every_byte(text), max_line) == expected);
  for (std::size_t i = 0; i <= text.size(); ++i) CHECK(split(text, {i}, max_line) == expected);
}

}  // namespace

TEST_CASE("lines end at LF and at CR LF and know where they stand") {
  check_all_splits("one\ntwo\r\n\nfour\n", {{"one", 0, 4, 1}, {"two", 4, 9, 2}, {"", 9, 10, 3}, {"four", 10, 15, 4}});
}

TEST_CASE("a last line without a line break is a line at the end of the data") {
  check_all_splits("a\nbc", {{"a", 0, 2, 1}, {"bc", 2, 4, 2}});
  check_all_splits("x", {{"x", 0, 1, 1}});
}

TEST_CASE("a last line without a line break is not a line before the end of the data") {
  CHECK(split("a\nbc", {}, 1000, false) == std::vector<seen>{{"a", 0, 2, 1}});
  CHECK(split("a\nb\r", {}, 1000, false) == std::vector<seen>{{"a", 0, 2, 1}});
}

TEST_CASE("no data has no lines") { check_all_splits("", {}); }

TEST_CASE("empty lines are lines") { check_all_splits("\n\r\n\n", {{"", 0, 1, 1}, {"", 1, 3, 2}, {"", 3, 4, 3}}); }

TEST_CASE("a CR that is not before an LF belongs to its line") {
  check_all_splits("a\rb\n\r\r\nc\r", {{"a\rb", 0, 4, 1}, {"\r", 4, 7, 2}, {"c\r", 7, 9, 3}});
}

TEST_CASE("a NUL is a byte like any other") { check_all_splits(std::string("a\0b\n", 4), {{std::string("a\0b", 3), 0, 4, 1}}); }

TEST_CASE("a line of exactly the limit fits, however it ends") {
  check_all_splits("12345\n12345\r\n12345", {{"12345", 0, 6, 1}, {"12345", 6, 13, 2}, {"12345", 13, 18, 3}}, 5);
}

TEST_CASE("a line over the limit is reported once, by its beginning, and the next one is read") {
  check_all_splits("a\n1234567890\nb\n", {{"a", 0, 2, 1}, {"12345", 2, 0, 2, false}, {"b", 13, 15, 3}}, 5);
  check_all_splits("123456", {{"12345", 0, 0, 1, false}}, 5);
  check_all_splits("123456\r\nb", {{"12345", 0, 0, 1, false}, {"b", 8, 9, 2}}, 5);
}

TEST_CASE("a line of a gigabyte is passed over with a window of one block") {
  line_splitter splitter(1 << 20);
  std::string const block(1 << 20, 'x');
  std::string window;
  text_line line;
  int reported = 0;
  for (int i = 0; i < 1024; ++i) {
    window += block;
    REQUIRE(window.size() <= 2 << 20);
    std::string_view rest(window);
    while (splitter.next(rest, line) != outcome::more) {
      ++reported;
      CHECK(line.text.size() == 1 << 20);
      CHECK(line.offset == 0);
    }
    window = std::string(rest);
  }
  window += "\nafter\n";
  std::string_view rest(window);
  REQUIRE(splitter.next(rest, line) == outcome::line);
  CHECK(line.text == "after");
  CHECK(line.number == 2);
  CHECK(line.offset == (std::uint64_t(1) << 30) + 1);
  CHECK(reported == 1);
}

TEST_CASE("a splitter may begin anywhere") {
  line_splitter splitter(100, 5000, 41);
  std::string_view window = "next\n";
  text_line line;
  REQUIRE(splitter.next(window, line) == outcome::line);
  CHECK(line.offset == 5000);
  CHECK(line.next == 5005);
  CHECK(line.number == 42);
}

TEST_CASE("any text in any pieces has the lines that its definition says") {
  std::mt19937 random(20240808);
  std::string const alphabet = "ab\r\n\n";
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 40, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    std::size_t const max_line = 1 + random() % 12;
    std::vector<std::size_t> cuts;
    for (std::size_t i = random() % 5; i > 0; --i) cuts.push_back(random() % (text.size() + 1));
    std::ranges::sort(cuts);
    // An unterminated last line keeps its CR, which counts: the oracle and the splitter agree on that, too.
    REQUIRE(split(text, cuts, max_line) == oracle(text, max_line));
  }
}
