#include <decimal.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using ticks::decimal;

namespace {
decimal number(std::string_view text) {
  auto const parsed = decimal::parse(text);
  REQUIRE(parsed);
  return *parsed;
}
}  // namespace

TEST_CASE("a decimal keeps the text it was read from") {
  for (auto const* text : {"0", "7", "10", "0.0", "0.00000001", "61837.63000000", "-12.50", "9223372036854775807", "9223372036854775808",
                           "18446744073709551615", "1234567890.123456789012345678", "0.00000000000000000000000000000000000001",
                           "99999999999999999999999999999999999999"})
    CHECK(number(text).text() == text);
}

TEST_CASE("leading zeros and a negative zero have no say in a decimal") {
  CHECK(number("007.50").text() == "7.50");
  CHECK(number("-0.00").text() == "0.00");
  CHECK_FALSE(number("-0.00").is_negative());
  CHECK(number("0000000000000000000000000000000000000000000000000000001.5").text() == "1.5");
}

TEST_CASE("text that is not a plain decimal number is refused") {
  for (auto const* text : {"",
                           "-",
                           "+",
                           "+1",
                           "1e5",
                           "1E5",
                           "nan",
                           "inf",
                           "1.2.3",
                           ".5",
                           "5.",
                           ".",
                           "-.5",
                           "--1",
                           "1 ",
                           " 1",
                           "1,000",
                           "0x10",
                           "1_0",
                           "12345678901234567890x",
                           "1.2345678901234567890.1",
                           ".12345678901234567890123",
                           "12345678901234567890123."})
    CHECK_FALSE(decimal::parse(text));
  CHECK_FALSE(decimal::parse(std::string_view("1\0002", 3)));
}

TEST_CASE("a decimal of more than 38 digits is refused") {
  CHECK(decimal::parse("-99999999999999999999999999999999999999"));
  CHECK_FALSE(decimal::parse("100000000000000000000000000000000000000"));
  CHECK_FALSE(decimal::parse("9999999999999999999999.99999999999999999"));
  CHECK_FALSE(decimal::parse("0.000000000000000000000000000000000000001"));
}

// Sums by Python's decimal module with 80 digits.
TEST_CASE("a sum is exact and has the larger scale") {
  struct vector {
    char const *a, *b, *sum;
  };
  for (vector const& v :
       {vector{"61837.63000000", "0.02000000", "61837.65000000"}, vector{"0.1", "0.02", "0.12"}, vector{"1", "0.00000001", "1.00000001"},
        vector{"-5.25", "5.25", "0.00"}, vector{"99999999999999999999999999999999999999", "0", "99999999999999999999999999999999999999"},
        vector{"12345678901234567890.123456789", "0.000000000000000001", "12345678901234567890.123456789000000001"},
        vector{"9223372036854775807", "1", "9223372036854775808"}, vector{"-0.5", "0.25", "-0.25"},
        vector{"18446744073709551615", "18446744073709551615", "36893488147419103230"}}) {
    CHECK(number(v.a).plus(number(v.b)).value().text() == v.sum);
    CHECK(number(v.b).plus(number(v.a)).value().text() == v.sum);
  }
  decimal total;
  for (auto const* text : {"7460.6", "12.6614242", "733629687.074913", "0.1574702", "0.000006", "0.0007", "7934327.0", "131383004", "0.006",
                           "40876.31411680", "5.8772277", "46399.124"})
    total = total.plus(number(text)).value();
  CHECK(total.text() == "873041772.81585790");
}

TEST_CASE("a sum of more than 38 digits is reported") {
  auto const most = number("99999999999999999999999999999999999999");
  auto const least = number("-99999999999999999999999999999999999999");
  CHECK_FALSE(most.plus(number("1")));
  CHECK_FALSE(most.plus(most));
  CHECK_FALSE(least.plus(least));
  CHECK_FALSE(most.plus(number("0.1")));
  CHECK(most.plus(least).value().is_zero());
}

TEST_CASE("decimals compare as numbers whatever their scale") {
  CHECK(number("1.0") == number("1.00"));
  CHECK(number("1.01") > number("1.0"));
  CHECK(number("0.9") < number("0.91"));
  CHECK(number("-2") < number("-1.5"));
  CHECK(number("-1.50") > number("-1.6"));
  CHECK(number("-0.5") < number("0.25"));
  CHECK(number("10") > number("9.99999999"));
  CHECK(number("99999999999999999999999999999999999999") > number("0.00000000000000000000000000000000000001"));
  CHECK(number("9999999999999999999999999999999999999.1") > number("9999999999999999999999999999999999999"));
}

TEST_CASE("a decimal is made from a whole number and a scale") {
  CHECK(decimal(12345, 2).text() == "123.45");
  CHECK(decimal(-5, 3).text() == "-0.005");
  CHECK(decimal(-5, 3).is_negative());
  CHECK(decimal(7, 0) == number("7"));
  CHECK(decimal().is_zero());
  CHECK(decimal(100, 2).scale() == 2);
}
