#include <weir/file/gzip_inflater.hpp>

#include "gzip_text.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using weir::file::gzip_inflater;
using weir::test::gzip;
using outcome = gzip_inflater::outcome;

namespace {

struct result {
  std::string text;
  outcome last = outcome::more_input;
  bool complete = false;
  bool operator==(result const&) const = default;
};

std::ostream& operator<<(std::ostream& out, result const& r) {
  return out << r.text.size() << " bytes, outcome " << static_cast<int>(r.last) << ", complete " << r.complete;
}

// Gives `data` in pieces, cut at `cut` or after every `step` bytes, with room for `room` bytes at a time.
result inflate(std::string_view data, std::size_t cut, std::size_t step, std::size_t room) {
  gzip_inflater inflater;
  result r;
  std::vector<char> out(room);
  std::size_t given = 0;
  while (given < data.size()) {
    std::size_t const end = given < cut ? std::min(cut, data.size()) : std::min(given + step, data.size());
    std::string_view piece = data.substr(given, end - given);
    given = end;
    while (true) {
      auto const s = inflater.inflate(piece, out);
      piece.remove_prefix(s.consumed);
      r.text.append(out.data(), s.produced);
      r.last = s.what;
      if (s.what == outcome::corrupt || s.what == outcome::trailing_garbage) return r;
      if (s.what == outcome::more_input) break;
    }
    REQUIRE(piece.empty());
  }
  r.complete = inflater.complete();
  return r;
}

void check_all_splits(std::string_view data, result const& expected) {
  for (std::size_t cut = 0; cut <= data.size(); ++cut) CHECK(inflate(data, cut, data.size() + 1, 64) == expected);
  CHECK(inflate(data, 0, 1, 64) == expected);
  CHECK(inflate(data, 0, 1, 1) == expected);
  CHECK(inflate(data, 0, data.size() + 1, 1) == expected);
  CHECK(inflate(data, 0, data.size() + 1, 1 << 16) == expected);
}

// "hello\n" by another implementation: gzip -n (GNU gzip 1.12).
std::string const hello("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00", 26);

}  // namespace

TEST_CASE("a gzip file is recognised by its first two bytes") {
  CHECK(gzip_inflater::recognises(hello));
  CHECK_FALSE(gzip_inflater::recognises("{\"a\":1}"));
  CHECK_FALSE(gzip_inflater::recognises("\x1f"));
  CHECK_FALSE(gzip_inflater::recognises(""));
}

TEST_CASE("one member is inflated, however it is cut") { check_all_splits(hello, {"hello\n", outcome::more_input, true}); }

TEST_CASE("members after one another are one text") {
  std::string const text(500, 'z');
  check_all_splits(hello + gzip("") + gzip(text) + hello, {"hello\n" + text + "hello\n", outcome::more_input, true});
}

TEST_CASE("a file that ends inside a member is not complete, wherever it ends") {
  for (std::size_t size = 1; size < hello.size(); ++size) {
    auto const r = inflate(std::string_view(hello).substr(0, size), 0, 1, 64);
    CHECK_FALSE(r.complete);
    CHECK(r.last == outcome::more_input);
    CHECK(std::string("hello\n").starts_with(r.text));
  }
  CHECK_FALSE(inflate(hello + hello.substr(0, 9), 0, 1, 64).complete);
}

TEST_CASE("nothing at all is not complete") { CHECK_FALSE(gzip_inflater().complete()); }

TEST_CASE("what follows the last member and is none is garbage") {
  check_all_splits(hello + "xyz", {"hello\n", outcome::trailing_garbage, false});
  check_all_splits(hello + std::string(8, '\0'), {"hello\n", outcome::trailing_garbage, false});
  check_all_splits(hello + "\x1f is not a header", {"hello\n", outcome::trailing_garbage, false});
}

TEST_CASE("a wrong checksum and wrong data are corrupt, and what came before is given") {
  std::string wrong_checksum = hello;
  wrong_checksum[18] ^= 1;
  check_all_splits(wrong_checksum, {"hello\n", outcome::corrupt, false});
  std::string wrong_size = hello;
  wrong_size[22] ^= 1;
  check_all_splits(wrong_size, {"hello\n", outcome::corrupt, false});
  std::string wrong_method = hello;
  wrong_method[2] = 7;
  check_all_splits(wrong_method, {"", outcome::corrupt, false});
  check_all_splits(hello + wrong_method, {"hello\n", outcome::corrupt, false});
}

TEST_CASE("a long text comes back") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + '\n';
  std::string const data = gzip(text);
  CHECK(inflate(data, 0, 1000, 4096) == result{text, outcome::more_input, true});
  CHECK(inflate(data, 0, data.size(), 1 << 20) == result{text, outcome::more_input, true});
}
