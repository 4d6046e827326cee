#include <weir/error.hpp>
#include <weir/file/ndjson_fields.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using weir::file::ndjson_fields;

TEST_CASE("fields of a payload are read in the order in which they are asked for, whatever stands around and between") {
  ndjson_fields fields({"b", "a"});
  std::string why;
  std::string const longer(10'000, 'x');
  for (std::string const& payload :
       {std::string(R"({"a":1,"b":"two"})"), std::string(" \n{ \"c\" : [1, {}], \"b\":\"tw\\u006f\", \"a\":1 }\r\n"),
        R"({"c":")" + longer + R"(","a":1,"b":"two"})"}) {
    INFO(payload.substr(0, 80));
    auto const* const found = fields.read(payload, why);
    REQUIRE(found);
    CHECK(found[0].text() == "two");
    CHECK(found[1].text() == "1");
  }
  auto const* const escaped = fields.read(R"({"a":0,"b":"\n)" + longer + "\"}", why);
  REQUIRE(escaped);
  CHECK(escaped[0].text() == "\n" + longer);
}

TEST_CASE("a payload that is no such object is refused in a sentence") {
  ndjson_fields fields({"a"});
  struct row {
    std::string payload, why;
  };
  for (row const& r : {row{"", "it is empty"}, row{" \n", "it is empty"}, row{"[1]", "the line is not a JSON object"},
                       row{R"({"a":1)", "the line ends before the object does"}, row{R"({"b":1})", R"(the field "a" is missing)"},
                       row{R"({"a":null})", R"(the field "a" is null)"}, row{"{\"a\":1}\n{\"a\":2}", "something follows the object"}}) {
    INFO(r.payload);
    std::string why;
    CHECK_FALSE(fields.read(r.payload, why));
    CHECK(why == r.why);
  }
}

TEST_CASE("names that no file takes are refused") {
  CHECK_THROWS_AS(ndjson_fields({"a", "a"}), weir::error);
  CHECK_THROWS_AS(ndjson_fields(std::vector<std::string>(65, "a")), weir::error);
}
