#include <weir/file/record_builder.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/sanitizer.hpp"
#include "support/skip.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

using namespace weir;
using file::record;
using file::record_builder;

namespace {

std::size_t allocations = 0;

// A record as plain values.
struct seen {
  std::string line, fields;
  std::uint64_t offset = 0, next = 0, number = 0;
  bool operator==(seen const&) const = default;
};

std::ostream& operator<<(std::ostream& out, seen const& s) {
  return out << '"' << s.line << "\" [" << s.fields << "] " << s.offset << ".." << s.next << " #" << s.number;
}

seen look(record const& r) {
  seen s{std::string(r.payload()), "", r.offset(), r.position().offset(), r.line_number()};
  for (std::size_t i = 0; i < r.field_count(); ++i) s.fields += (i ? "|" : "") + std::string(r.field(i));
  return s;
}

struct start {
  std::uint64_t offset = 0, lines = 0;
};

// Gives `text` to a builder in pieces of `step` bytes, the first one of `first`, and keeps all records until the end.
std::vector<seen> build(file::options o, std::string_view text, std::size_t first, std::size_t step, start from = {}) {
  record_builder builder(std::make_shared<file::options const>(std::move(o)), "some/path");
  if (from.offset != 0) builder.start_at(from.offset, from.lines, false);
  text.remove_prefix(from.offset);
  std::vector<record> kept;
  bool ended = false;
  while (true) {
    std::span<record> const records = builder.next(77);
    for (record& r : records) kept.push_back(std::move(r));
    if (!records.empty()) continue;
    if (ended) break;
    std::span<char> const room = builder.room();
    std::size_t const n = std::min({first != 0 ? first : step, text.size(), room.size()});
    first = 0;
    std::memcpy(room.data(), text.data(), n);
    text.remove_prefix(n);
    if (n == 0) builder.end_of_data(), ended = true;
    else builder.filled(n);
  }
  std::vector<seen> out;
  for (record const& r : kept) {
    CHECK(r.partition_key() == "some/path");
    CHECK(r.arrival() == 77);
    out.push_back(look(r));
  }
  return out;
}

void check_all_splits(file::options const& o, std::string const& text, std::vector<seen> const& expected) {
  CHECK(build(o, text, 0, 1 << 20) == expected);
  CHECK(build(o, text, 0, 1) == expected);
  for (std::size_t i = 1; i < text.size(); ++i) CHECK(build(o, text, i, 1 << 20) == expected);
}

file::options lines() { return {.paths = {"some/path"}}; }
file::options ndjson() { return {.paths = {"some/path"}, .format = file::format::ndjson, .fields = {"a"}, .optional_fields = {"b"}}; }
file::options csv() { return {.paths = {"some/path"}, .format = file::format::csv, .fields = {"a"}, .optional_fields = {"b"}}; }

}  // namespace

// Counts for this whole program; only the test that looks at the figure cares.
#ifndef WEIR_TEST_THREAD_SANITIZER
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* const p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
#endif

TEST_CASE("lines become records with a position behind them, however the bytes come") {
  check_all_splits(lines(), "one\r\n\nthree", {{"one", "", 0, 5, 1}, {"", "", 5, 6, 2}, {"three", "", 6, 11, 3}});
}

TEST_CASE("JSON lines become records with fields, however the bytes come") {
  check_all_splits(ndjson(), "{\"a\":1,\"b\":\"x\\n\"}\n\n  \r\n{\"b\":[2],\"a\":\"y\"}\r\n{\"a\":true}",
                   {{"{\"a\":1,\"b\":\"x\\n\"}", "1|x\n", 0, 18, 1},
                    {"{\"b\":[2],\"a\":\"y\"}", "y|[2]", 23, 42, 4},
                    {"{\"a\":true}", "true|", 42, 52, 5}});
}

TEST_CASE("CSV rows become records, and the header and blank lines do not") {
  check_all_splits(csv(), "\nb,a\n1,2\r\n\n\"x\"\"\",\"y\"\n", {{"1,2", "2|1", 5, 10, 3}, {"\"x\"\"\",\"y\"", "y|x\"", 11, 21, 5}});
}

TEST_CASE("columns can be named for a file without a header") {
  file::options o = csv();
  o.columns = {"a", "other"};
  check_all_splits(o, "1,2\n3,4\n", {{"1,2", "1|", 0, 4, 1}, {"3,4", "3|", 4, 8, 2}});
}

TEST_CASE("a byte order mark at the front of a file belongs to no line") {
  check_all_splits(csv(),
                   "\xef\xbb\xbf"
                   "a\n1\n",
                   {{"1", "1|", 5, 7, 2}});
  check_all_splits(ndjson(), "\xef\xbb\xbf{\"a\":1}\n{\"a\":2}", {{"{\"a\":1}", "1|", 3, 11, 1}, {"{\"a\":2}", "2|", 11, 18, 2}});
}

TEST_CASE("nothing at all has no records") {
  for (auto const& o : {lines(), ndjson(), csv()}) check_all_splits(o, "", {});
  check_all_splits(csv(), "a,b", {});
}

TEST_CASE("starting behind any record gives exactly the rest") {
  std::string text;
  for (int i = 0; i < 600; ++i) text += "{\"a\":" + std::to_string(i) + (i % 7 == 0 ? "}\r\n\n" : "}\n");
  auto const all = build(ndjson(), text, 0, 1 << 20);
  REQUIRE(all.size() == 600);
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const rest = build(ndjson(), text, 0, 1 << 20, {all[i].next, all[i].number});
    REQUIRE(rest == std::vector<seen>(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()));
  }
}

TEST_CASE("records keep their text when reading goes on, and lines may cross blocks and be longer than one") {
  file::options o = lines();
  o.block_size = 4096;
  std::string text;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 300; ++i) {
    expected.push_back(std::string(i * 97 % 9000, static_cast<char>('a' + i % 26)));
    text += expected.back() + "\n";
  }
  for (std::size_t const step : {std::size_t(1) << 20, std::size_t(1000), std::size_t(333)}) {
    auto const all = build(o, text, 0, step);
    REQUIRE(all.size() == expected.size());
    for (std::size_t i = 0; i < all.size(); ++i) REQUIRE(all[i].line == expected[i]);
  }
}

TEST_CASE("many fields and escapes in short lines do not fit their block and are kept all the same") {
  file::options o{.paths = {"p"}, .format = file::format::ndjson, .block_size = 4096};
  for (int i = 0; i < 64; ++i) o.optional_fields.push_back("f" + std::to_string(i));
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "{\"f" + std::to_string(i % 64) + "\":\"\\u00e9" + std::to_string(i) + "\"}\n";
  auto const all = build(o, text, 0, 1 << 20);
  REQUIRE(all.size() == 2000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::string const expected = std::string(i % 64, '|') + "\xc3\xa9" + std::to_string(i) + std::string(63 - i % 64, '|');
    REQUIRE(all[i].fields == expected);
  }
}

TEST_CASE("a record that was moved from has no text but still its position") {
  record_builder builder(std::make_shared<file::options const>(lines()), "p");
  std::memcpy(builder.room().data(), "x\ny\n", 4);
  builder.filled(4);
  std::span<record> const records = builder.next(0);
  REQUIRE(records.size() == 2);
  record const kept = std::move(records[0]);
  CHECK(kept.line() == "x");
  CHECK(records[0].line().empty());
  CHECK(records[0].partition_key().empty());
  CHECK(records[0].position() == position(2, 1));
  record const copy = records[1];
  CHECK(copy.line() == "y");
  CHECK(records[1].line() == "y");
}

TEST_CASE("a broken line fails after the records before it, with file, line and byte") {
  record_builder builder(std::make_shared<file::options const>(ndjson()), "ticks.ndjson");
  std::string const text = "{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n{\"a\":4}\n";
  std::memcpy(builder.room().data(), text.data(), text.size());
  builder.filled(text.size());
  CHECK(builder.next(0).size() == 2);
  for (int again = 0; again < 2; ++again) {
    try {
      builder.next(0);
      FAIL("nothing was thrown");
    } catch (error const& e) {
      CHECK(e.code() == errc::malformed);
      CHECK(std::string(e.what()) ==
            "file: cannot parse line (ticks.ndjson, line 3, byte 21): a value is neither a string, a number, true, false nor null; "
            "fix the line or set on_broken_line to dead_letter");
    }
  }
}

TEST_CASE("a line that is too long fails with advice, before it is read as a whole") {
  file::options o = lines();
  o.max_line = 10;
  record_builder builder(std::make_shared<file::options const>(o), "p");
  std::memcpy(builder.room().data(), "ok\n0123456789abcdef", 19);
  builder.filled(19);
  CHECK(builder.next(0).size() == 1);
  test::fails_with(
      errc::too_large, [&] { builder.next(0); },
      "file: cannot parse line (p, line 2, byte 3): the line is longer than 10 bytes; set max_line");
}

TEST_CASE("with a dead-letter function broken lines are given to it and passed over, however the bytes come") {
  std::string const text = "{\"a\":1}\nbroken\n{\"a\":2}\n{\"b\":3}\n" + std::string(60, 'x') + "\n{\"a\":\"\xff\"}\n{\"a\":4}\n";
  std::vector<seen> letters;
  file::options o = ndjson();
  o.max_line = 20;
  o.on_broken_line = file::dead_letter([&](file::broken_line const& line) {
    CHECK(line.path == "some/path");
    letters.push_back({std::string(line.text), std::string(line.message), line.offset, 0, line.line_number});
  });
  std::string const where = "file: cannot parse line (some/path, line ", advice = "; fix the line or set on_broken_line to dead_letter";
  std::vector<seen> const expected_letters = {
      {"broken", where + "2, byte 8): the line is not a JSON object" + advice, 8, 0, 2},
      {"{\"b\":3}", where + "4, byte 23): the field \"a\" is missing" + advice, 23, 0, 4},
      {std::string(20, 'x'), where + "5, byte 31): the line is longer than 20 bytes; set max_line higher, or on_broken_line to dead_letter",
       31, 0, 5},
      {"{\"a\":\"\xff\"}", where + "6, byte 98): the text is not UTF-8" + advice, 92, 0, 6}};
  std::vector<seen> const expected = {{"{\"a\":1}", "1|", 0, 8, 1}, {"{\"a\":2}", "2|", 15, 23, 3}, {"{\"a\":4}", "4|", 102, 110, 7}};
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    letters.clear();
    CHECK(build(o, text, cut, 1 << 20) == expected);
    CHECK(letters == expected_letters);
  }
}

TEST_CASE("what a dead-letter function throws comes after the records before the line") {
  file::options o = ndjson();
  o.on_broken_line = file::dead_letter([](file::broken_line const&) { throw std::runtime_error("the dead-letter file is full"); });
  record_builder builder(std::make_shared<file::options const>(o), "p");
  std::memcpy(builder.room().data(), "{\"a\":1}\nx\n", 10);
  builder.filled(10);
  CHECK(builder.next(0).size() == 1);
  CHECK_THROWS_AS(builder.next(0), std::runtime_error);
}

TEST_CASE("a header that lacks a column says which ones there are") {
  record_builder builder(std::make_shared<file::options const>(csv()), "p.csv");
  std::memcpy(builder.room().data(), "x,y\n1,2\n", 8);
  builder.filled(8);
  test::fails_with(
      errc::malformed, [&] { builder.next(0); },
      "file: cannot use header (p.csv, line 1): there is no column \"a\"; the columns are: x, y");
}

TEST_CASE("behind a line that ended without a line break only the line break may come") {
  auto const resume = [](std::vector<std::string> const& pieces) {
    record_builder builder(std::make_shared<file::options const>(lines()), "p");
    builder.start_at(4, 2, true);
    std::vector<seen> all;
    for (std::string const& piece : pieces) {
      std::memcpy(builder.room().data(), piece.data(), piece.size());
      builder.filled(piece.size());
      for (record const& r : builder.next(0)) all.push_back(look(r));
    }
    builder.end_of_data();
    for (record const& r : builder.next(0)) all.push_back(look(r));
    return all;
  };
  CHECK(resume({}).empty());
  CHECK(resume({"\n"}).empty());
  CHECK(resume({"\r", "\nx\n"}) == std::vector<seen>{{"x", "", 6, 8, 3}});
  CHECK(resume({"\nx\n"}) == std::vector<seen>{{"x", "", 5, 7, 3}});
  test::fails_with(errc::stale, [&] { resume({"more\n"}); }, "file: cannot resume (p, line 2, byte 4)", "has been changed");
  test::fails_with(errc::stale, [&] { resume({"\r"}); }, "file: cannot resume");
}

TEST_CASE("reading on allocates nothing, whether records are only looked at or kept for a while") {
  if (test::thread_sanitizer && test::skip("ThreadSanitizer has its own operator new")) return;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "{\"a\":\"text \\n " + std::to_string(1000 + i) + "\",\"b\":12345,\"c\":{\"d\":[1,2,3]}}\n";
  for (bool const keep : {false, true}) {
    file::options o = ndjson();
    o.block_size = 16384;
    record_builder builder(std::make_shared<file::options const>(o), "p");
    std::vector<record> kept(500);
    std::size_t records = 0, at = 0, before = 0;
    for (int round = 0; round < 400; ++round) {
      if (round == 100) before = allocations;
      std::span<char> const room = builder.room();
      std::size_t const n = std::min(room.size(), text.size() - at);
      std::memcpy(room.data(), text.data() + at, n);
      at = (at + n) % text.size();
      builder.filled(n);
      for (std::span<record> chunk = builder.next(round); !chunk.empty(); chunk = builder.next(round)) {
        for (record& r : chunk) {
          if (keep) kept[records % kept.size()] = std::move(r);
          ++records;
        }
      }
    }
    CHECK(records > 20'000);
    CHECK(allocations - before == 0);
  }
}
