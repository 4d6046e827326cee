#include <command_line/field_values.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace command_line;
using weir::file::field_kind;
using weir::file::field_text;

namespace {
field_text value(field_kind kind, std::string_view text) { return field_text(kind, text.data(), text.data() + text.size()); }
field_text number(std::string_view text) { return value(field_kind::number, text); }
field_text string(std::string_view text) { return value(field_kind::string, text); }
}  // namespace

TEST_CASE("a time is ms since 1970 as a number, or RFC 3339 as text") {
  CHECK(time_value(number("1735828200123")) == 1735828200123000000);
  CHECK(time_value(number("-1")) == -1000000);
  CHECK(time_value(string("2025-01-02T14:30:00.123Z")) == 1735828200123000000);
  CHECK_FALSE(time_value(string("1735828200123")));
  CHECK_FALSE(time_value(number("1.5")));
  CHECK_FALSE(time_value(number("1e3")));
  CHECK_FALSE(time_value(number("9150000000001")));
  CHECK_FALSE(time_value(string("2261-01-01T00:00:00Z")));
  CHECK_FALSE(time_value(value(field_kind::boolean, "true")));
  CHECK_FALSE(time_value(value(field_kind::missing, "")));
}

TEST_CASE("a number is decimal and within its range") {
  CHECK(number_value(number("52.52"), -90, 90) == 52.52);
  CHECK(number_value(string("-90"), -90, 90) == -90);
  for (auto const* text : {"", "90.1", "-90.1", "1e1", "nan", "inf", "-nan", "x", "1x", " 1", "1 "})
    CHECK_FALSE(number_value(string(text), -90, 90));
}

TEST_CASE("true and false are literals, not texts") {
  CHECK(truth_value(value(field_kind::boolean, "true")) == true);
  CHECK(truth_value(value(field_kind::boolean, "false")) == false);
  CHECK_FALSE(truth_value(string("true")));
  CHECK_FALSE(truth_value(number("1")));
}

TEST_CASE("a name is plain text of up to 200 bytes, or a number") {
  CHECK(name_value(string("a b")) == "a b");
  CHECK(name_value(number("17")) == "17");
  CHECK(name_value(string(std::string(200, 'x'))));
  for (std::string const& text : {std::string(), std::string("a\n"), std::string("\xff"), std::string(201, 'x')})
    CHECK_FALSE(name_value(string(text)));
  CHECK_FALSE(name_value(value(field_kind::boolean, "true")));
}

TEST_CASE("a fault is described with the name of the field, its value and what it should be") {
  CHECK(describe(field_fault{1, truth_expected}, "success", string("ja\n")) ==
        R"(field "success" is "ja\x0a", but should be true or false)");
}
