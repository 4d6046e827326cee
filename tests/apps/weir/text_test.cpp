#include <text.hpp>

#include "support/catch.hpp"

#include <string>

using namespace state_tool;

TEST_CASE("keys are shown as text where they are text, and are read back") {
  CHECK(key_text("BTC") == "\"BTC\"");
  CHECK(key_text("") == "\"\"");
  CHECK(key_text("p\xc3\xa4ge \"1\"") == "\"p\xc3\xa4ge \\\"1\\\"\"");
  CHECK(key_text(std::string("\0\x7f\xff", 3)) == "0x007fff");
  CHECK(key_text("\xff") == "0xff");
  CHECK(parse_key("0x007FfF") == std::string("\0\x7f\xff", 3));
  CHECK(parse_key("0x") == "");
  CHECK(parse_key("BTC") == "BTC");
  CHECK_FALSE(parse_key("0x0"));
  CHECK_FALSE(parse_key("0x+1"));
  CHECK_FALSE(parse_key("0x-1"));
}

TEST_CASE("names of any bytes are one line") {
  CHECK(name_text("file p\xc3\xa4ge.log") == "file p\xc3\xa4ge.log");
  CHECK(name_text("a\nb\xff") == "a\\x0ab\\xff");
}

TEST_CASE("an age has its two largest units") {
  constexpr std::int64_t second = 1'000'000'000;
  CHECK(age_text(0) == "0s");
  CHECK(age_text(59 * second) == "59s");
  CHECK(age_text(60 * second) == "1m 0s");
  CHECK(age_text(7'199 * second) == "1h 59m");
  CHECK(age_text(99 * 3'600 * second) == "4d 3h");
  CHECK(age_text(-1) == "in the future");
}
