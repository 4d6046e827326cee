#include <weir/file/json_escapes.hpp>

#include "support/catch.hpp"

#include <optional>
#include <string>

using namespace weir::file;

namespace {

std::optional<std::string> plain(std::string_view text) {
  std::string out(text.size(), '?');
  char* const end = unescape_json(text.data(), text.data() + text.size(), out.data());
  CHECK(check_json_escapes(text.data(), text.data() + text.size()) == (end != nullptr));
  if (!end) return std::nullopt;
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

}  // namespace

TEST_CASE("a string without escapes is itself") {
  CHECK(plain("") == "");
  CHECK(plain("abc \xc3\xa9") == "abc \xc3\xa9");
}

TEST_CASE("all escapes of RFC 8259 are known") { CHECK(plain(R"(a\"\\\/\b\f\n\r\tz)") == "a\"\\/\b\f\n\r\tz"); }

TEST_CASE("code points become UTF-8") {
  CHECK(plain(R"(\u0041)") == "A");
  CHECK(plain(R"(\u0000)") == std::string(1, '\0'));
  CHECK(plain(R"(\u00e9\u00E9)") == "\xc3\xa9\xc3\xa9");
  CHECK(plain(R"(\u20ac)") == "\xe2\x82\xac");            // the euro sign
  CHECK(plain(R"(\uD834\uDD1E)") == "\xf0\x9d\x84\x9e");  // RFC 8259 section 7: the G clef
  CHECK(plain(R"(\uffff\ud7ff\ue000)") == "\xef\xbf\xbf\xed\x9f\xbf\xee\x80\x80");
}

TEST_CASE("wrong escapes are refused") {
  for (std::string const text : {R"(\x41)", R"(\u004)", R"(\u)", R"(\u00g0)", R"(\U0041)", R"(\0)", R"(\')", R"(a\)", R"(\ud834)",
                                 R"(\ud834x)", R"(\ud834\n)", R"(\ud834\u0041)", R"(\udd1e)", R"(\ud834\ud834)", R"(\ud834\udd1)"}) {
    INFO(text);
    CHECK_FALSE(plain(text));
  }
}
