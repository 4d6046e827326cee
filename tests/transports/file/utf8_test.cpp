#include <weir/file/utf8.hpp>

#include "support/catch.hpp"

#include <string>
#include <utility>
#include <vector>

using weir::file::first_invalid_utf8;
using weir::file::is_utf8;

TEST_CASE("well-formed UTF-8 is UTF-8") {
  for (std::string const text : {"", "plain", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
                                 "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    CHECK(is_utf8(text));
    CHECK(first_invalid_utf8(text) == text.size());
  }
}

// Unicode 15, section 3.9, table 3-7 and the examples below it.
TEST_CASE("ill-formed UTF-8 is found where it begins") {
  std::vector<std::pair<std::string, std::size_t>> const cases = {{"\xff", 0},
                                                                  {"ab\xfe", 2},
                                                                  {"\x80", 0},
                                                                  {"a\xc0\xaf", 1},
                                                                  {"\xc1\xbf", 0},
                                                                  {"\xc3", 0},
                                                                  {"\xc3(", 0},
                                                                  {"\xe0\x9f\xbf", 0},
                                                                  {"\xed\xa0\x80", 0},
                                                                  {"\xe2\x82", 0},
                                                                  {"ok \xe2\x82(", 3},
                                                                  {"\xf0\x8f\xbf\xbf", 0},
                                                                  {"\xf4\x90\x80\x80", 0},
                                                                  {"\xf5\x80\x80\x80", 0},
                                                                  {"\xf0\x9d\x84", 0},
                                                                  {"\xc3\xa9\xa9", 2}};
  for (auto const& [text, at] : cases) {
    CHECK_FALSE(is_utf8(text));
    CHECK(first_invalid_utf8(text) == at);
  }
}
