#include <weir/dynamodb/detail/json_in.hpp>
#include <weir/dynamodb/detail/json_out.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using test::fails_with;

namespace {

attribute_value::bytes bytes(std::string const& text) {
  auto const* const at = reinterpret_cast<std::byte const*>(text.data());
  return {at, at + text.size()};
}

}  // namespace

TEST_CASE("each kind of attribute is written and read as the API reference shows it", "[dynamodb][json]") {
  // The examples of "AttributeValue" in the DynamoDB API reference, without spaces; sets in order.
  std::vector<std::pair<attribute_value, std::string>> const all{
      {attribute_value::string("Hello"), R"({"S":"Hello"})"},
      {attribute_value::number("123.45"), R"({"N":"123.45"})"},
      {attribute_value::binary(bytes("this text is base64-encoded")), R"({"B":"dGhpcyB0ZXh0IGlzIGJhc2U2NC1lbmNvZGVk"})"},
      {attribute_value::boolean(true), R"({"BOOL":true})"},
      {attribute_value::boolean(false), R"({"BOOL":false})"},
      {attribute_value(), R"({"NULL":true})"},
      {attribute_value::string_set({"Giraffe", "Hippo", "Zebra"}), R"({"SS":["Giraffe","Hippo","Zebra"]})"},
      {attribute_value::number_set({"-19", "3.14", "42.2"}), R"({"NS":["-19","3.14","42.2"]})"},
      {attribute_value::binary_set({bytes("Rainy"), bytes("Snowy"), bytes("Sunny")}), R"({"BS":["UmFpbnk=","U25vd3k=","U3Vubnk="]})"},
      {attribute_value::list({attribute_value::string("Cookies"), attribute_value::string("Coffee"), attribute_value::number("3.14159")}),
       R"({"L":[{"S":"Cookies"},{"S":"Coffee"},{"N":"3.14159"}]})"},
      {attribute_value::map({{"Age", attribute_value::number("35")}, {"Name", attribute_value::string("Joe")}}),
       R"({"M":{"Age":{"N":"35"},"Name":{"S":"Joe"}}})"},
      {attribute_value::list({}), R"({"L":[]})"},
      {attribute_value::map({}), R"({"M":{}})"},
      {attribute_value::string(""), R"({"S":""})"},
      {attribute_value::string("a\"b\\c\n\x01\xc3\xa4"), "{\"S\":\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa4\"}"},
  };
  for (auto const& [value, json] : all) {
    INFO(json);
    CHECK(dynamodb::detail::to_json(value) == json);
    CHECK((dynamodb::detail::read_value(json) == value));
  }
}

TEST_CASE("an attribute gives its content to who asks for its kind, and nothing to others", "[dynamodb][json]") {
  attribute_value const text = attribute_value::string("17"), number = attribute_value::number(17);
  CHECK(*text.as_string() == "17");
  CHECK(text.as_number() == nullptr);
  CHECK(text.as_unsigned() == std::nullopt);
  CHECK(number.as_string() == nullptr);
  CHECK(number.as_unsigned() == 17);
  CHECK(attribute_value::number("-1").as_unsigned() == std::nullopt);
  CHECK(attribute_value::number("1.5").as_unsigned() == std::nullopt);
  CHECK(attribute_value::number("18446744073709551616").as_unsigned() == std::nullopt);
  CHECK(attribute_value().is_null());
  dynamodb::item const row{{"a", text}};
  CHECK(dynamodb::find(row, "a") == &row.at("a"));
  CHECK(dynamodb::find(row, "b") == nullptr);
}

TEST_CASE("a reply that is not DynamoDB's is refused, whatever it is", "[dynamodb][json]") {
  for (char const* const body :
       {"", "x", "[]", "17", "{\"Item\":", R"({"Item":17})", R"({"Item":{"a":"b"}})", R"({"Item":{"a":{}}})",
        R"({"Item":{"a":{"S":"x","N":"1"}}})", R"({"Item":{"a":{"S":1}}})", R"({"Item":{"a":{"N":1}}})", R"({"Item":{"a":{"B":"?"}}})",
        R"({"Item":{"a":{"BOOL":"yes"}}})", R"({"Item":{"a":{"SS":"x"}}})", R"({"Item":{"a":{"L":[1]}}})", R"({"Item":{"a":{"Q":1}}})"}) {
    INFO(body);
    fails_with(errc::malformed, [&] { dynamodb::detail::read_item(body); }, "dynamodb: cannot read a reply");
  }
  CHECK(dynamodb::detail::read_item("{}") == std::nullopt);
  CHECK(dynamodb::detail::read_item(R"({"Item":null,"Other":[1,{}]})") == std::nullopt);
}

TEST_CASE("a page of items says where the next one begins", "[dynamodb][json]") {
  auto const page = dynamodb::detail::read_page(
      R"({"Count":2,"Items":[{"k":{"S":"a"}},{"k":{"S":"b"}}],"LastEvaluatedKey":{"k":{"S":"b"}},"ScannedCount":2})");
  REQUIRE(page.items.size() == 2);
  CHECK(*page.items[1].at("k").as_string() == "b");
  CHECK(*page.next.at("k").as_string() == "b");
  auto const last = dynamodb::detail::read_page(R"({"Count":0,"Items":[],"ScannedCount":0})");
  CHECK(last.items.empty());
  CHECK(last.next.empty());
}
