#include <weir/file/json_number.hpp>

#include "padded_text.hpp"
#include "support/catch.hpp"

#include <random>
#include <regex>
#include <string>

using weir::file::is_json_number;
using weir::test::padded_text;

namespace {

bool number(std::string_view text, std::string_view behind = "") {
  padded_text const all(std::string(text) + std::string(behind));
  return is_json_number(all.view().data(), all.view().data() + text.size());
}

}  // namespace

TEST_CASE("numbers of the form of RFC 8259 are numbers") {
  for (std::string const text :
       {"0",   "-0",  "7",    "10",    "-10", "12345678", "123456789", "12345678901234567890123", "0.5", "-0.25", "1.0", "10.012345678901",
        "1e5", "1E5", "1e+5", "1E-05", "0e0", "1.5e300",  "-1.5E-7",   "61837.63000000"}) {
    INFO(text);
    CHECK(number(text));
    CHECK(number(text, "123,"));
  }
}

TEST_CASE("everything else is no number") {
  for (std::string const text : {"",          "-",         "+1",  "01",       "-01",       "00",    "1.",    ".5",      "-.5", "1.e5",
                                 "1e",        "1e+",       "1e-", "1e5.5",    "0x10",      "1_000", "1 2",   "--1",     "1-",  "1a",
                                 "12345678a", "1234567a9", "NaN", "Infinity", "-Infinity", "1.5.5", "1e5e5", "\xd9\xa1"}) {
    INFO(text);
    CHECK_FALSE(number(text));
    CHECK_FALSE(number(text, "123"));
  }
}

TEST_CASE("random texts are numbers exactly when the grammar says so") {
  std::regex const grammar("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  std::mt19937 random(8259);
  std::string const alphabet = "0011223456789.-+eE";
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 14, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    INFO(text);
    REQUIRE(number(text, "99999999") == std::regex_match(text, grammar));
  }
}
