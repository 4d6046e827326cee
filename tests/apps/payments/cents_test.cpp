#include <cents.hpp>

#include "support/catch.hpp"

#include <cstdint>

using payments::cents;

TEST_CASE("an amount is read exactly") {
  CHECK(cents::parse("19.90") == cents(1990));
  CHECK(cents::parse("19.9") == cents(1990));
  CHECK(cents::parse("5") == cents(500));
  CHECK(cents::parse("0.05") == cents(5));
  CHECK(cents::parse("-0.05") == cents(-5));
  CHECK(cents::parse("-19.90") == cents(-1990));
  CHECK(cents::parse("-0") == cents(0));
  CHECK(cents::parse("007.00") == cents(700));
  CHECK(cents::parse("92233720368547758.07") == cents(INT64_MAX));
  CHECK(cents::parse("-92233720368547758.08") == cents(INT64_MIN));
}

TEST_CASE("a text that is no amount is refused") {
  for (auto const* text : {"",
                           "-",
                           ".",
                           ".5",
                           "5.",
                           "1.999",
                           "1e2",
                           "1,50",
                           " 1",
                           "1 ",
                           "+1",
                           "--1",
                           "1.-5",
                           "1.5.5",
                           "0x1",
                           "nan",
                           "EUR 5",
                           "92233720368547758.08",
                           "-92233720368547758.09",
                           "99999999999999999999"})
    CHECK_FALSE(cents::parse(text));
}

TEST_CASE("an amount is written with two digits behind the point, and read back") {
  for (auto const* text : {"0.00", "0.05", "-0.05", "19.90", "-19.90", "92233720368547758.07", "-92233720368547758.08"})
    CHECK(cents::parse(text).value().text() == text);
}

TEST_CASE("a sum that does not fit is reported") {
  CHECK(cents(1).plus(cents(-3)) == cents(-2));
  CHECK_FALSE(cents(INT64_MAX).plus(cents(1)));
  CHECK_FALSE(cents(INT64_MIN).plus(cents(-1)));
  CHECK(cents(INT64_MAX).plus(cents(INT64_MIN)) == cents(-1));
}
