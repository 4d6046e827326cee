#include <command_line/json_text.hpp>

#include "support/catch.hpp"

#include <string>

using namespace command_line;

// RFC 8259 section 7.
TEST_CASE("text becomes a JSON string") {
  CHECK(json_string("BRK\"B\\") == R"("BRK\"B\\")");
  CHECK(json_string(std::string_view("a\nb\0", 4)) == R"("a\u000ab\u0000")");
  CHECK(json_string("\xe2\x82\xac") == "\"\xe2\x82\xac\"");
}

// RFC 3629 section 3 and 4.
TEST_CASE("plain text is UTF-8 without control characters") {
  for (auto const* text :
       {"", "BTC", "BTC-27DEC24-100000-C", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\xb2", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    CHECK(is_plain_text(text));
  for (auto const* text : {"\t", "\x7f", "\x80", "\xc0\xaf", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                           "\xe0\x9f\xbf", "a\xff"})
    CHECK_FALSE(is_plain_text(text));
}

// U+FFFD per byte that cannot be a part of a character, as the Unicode standard allows (chapter 3.9, best practice is one per subpart).
TEST_CASE("bytes that are not UTF-8 are replaced one by one") {
  CHECK(as_utf8("a\xff\xc3\xa9") == "a\xef\xbf\xbd\xc3\xa9");
  CHECK(as_utf8("\xe2\x82") == "\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(as_utf8("plain").size() == 5);
}

TEST_CASE("a value in a message is short and printable") {
  CHECK(shown("A\n\xff\"") == R"(A\x0a\xff")");
  CHECK(shown(std::string(40, 'x')) == std::string(40, 'x'));
  CHECK(shown(std::string(100'000, 'x')) == std::string(40, 'x') + "...");
}
