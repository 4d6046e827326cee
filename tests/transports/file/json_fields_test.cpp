#include <weir/file/json_fields.hpp>

#include "padded_text.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace weir::file;
using weir::shared_bytes;
using weir::test::padded_text;

namespace {

// Lines of a run, read one after another.
class reader {
public:
  explicit reader(std::vector<std::string> names, std::size_t required) : count_(names.size()), json_(names, required) {}
  explicit reader(std::vector<std::string> names) : reader(names, names.size()) {}

  std::vector<line_fault> run(std::string_view text) {
    run_ = padded_text(text);
    memory_ = field_memory(shared_bytes(1 << 16));
    fields_.clear();
    std::vector<line_fault> faults;
    json_.index(run_.view());
    std::string_view rest = run_.view();
    while (!rest.empty()) {
      std::string_view const line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      fields_.push_back(memory_.fields(count_));
      faults.push_back(json_.parse(line, fields_.back(), memory_));
    }
    return faults;
  }
  line_fault line(std::string_view text) { return run(text).at(0); }
  std::string text(std::size_t field, std::size_t line = 0) const { return std::string(fields_.at(line)[field].text()); }
  field_kind kind(std::size_t field, std::size_t line = 0) const { return fields_.at(line)[field].kind(); }

private:
  std::size_t count_;
  json_fields json_;
  padded_text run_{""};
  field_memory memory_;
  std::vector<field_text*> fields_;
};

void check_fault(std::string_view text, fault_kind kind, std::size_t at) {
  reader r({"a"});
  INFO(text);
  line_fault const f = r.line(text);
  CHECK(f.kind == kind);
  CHECK(f.at == at);
  // The same line between two good ones spoils neither.
  auto const three = r.run("{\"a\":1}\n" + std::string(text) + "\n{\"a\":\"three\"}");
  REQUIRE(three.size() == 3);
  CHECK_FALSE(three[0]);
  CHECK(three[1].kind == kind);
  CHECK(three[1].at == at);
  CHECK_FALSE(three[2]);
  CHECK(r.text(0, 2) == "three");
}

}  // namespace

TEST_CASE("selected fields are found whatever their order, and others are passed over") {
  reader r({"symbol", "price", "time"});
  REQUIRE_FALSE(
      r.line(R"({"time":1723161255342,"x":{"symbol":"inner","y":[1,{"price":2}]},"symbol":"BTCUSDT","z":null,"price":"61837.63000000"})"));
  CHECK(r.text(0) == "BTCUSDT");
  CHECK(r.text(1) == "61837.63000000");
  CHECK(r.text(2) == "1723161255342");
  CHECK(r.kind(1) == field_kind::string);
  CHECK(r.kind(2) == field_kind::number);
}

TEST_CASE("every kind of value keeps its text") {
  reader r({"s", "i", "d", "t", "f", "n", "o", "l", "m"}, 0);
  REQUIRE_FALSE(r.line(
      R"( { "s" : "x y" , "i" : -12 , "d" : 1.50e+3 , "t" : true , "f" : false , "n" : null , "o" : { "k" : [ ] } , "l" : [ 1 , "]" ] } )"));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 9; ++i) texts.push_back(r.text(i));
  CHECK(texts == std::vector<std::string>{"x y", "-12", "1.50e+3", "true", "false", "null", R"({ "k" : [ ] })", R"([ 1 , "]" ])", ""});
  using enum field_kind;
  std::vector<field_kind> kinds;
  for (std::size_t i = 0; i < 9; ++i) kinds.push_back(r.kind(i));
  CHECK(kinds == std::vector<field_kind>{string, number, number, boolean, boolean, null, nested, nested, missing});
}

TEST_CASE("an empty object is an object") {
  reader r({"a"}, 0);
  CHECK_FALSE(r.line("{}"));
  CHECK_FALSE(r.line(" { } "));
  CHECK(r.kind(0) == field_kind::missing);
}

TEST_CASE("escapes are taken out of selected strings, and only there is text copied") {
  reader r({"a", "b"});
  REQUIRE_FALSE(r.line(R"({"x":"\n","a":"tab\tquote\" back\\ \u00e9\uD834\uDD1E","b":"plain"})"));
  CHECK(r.text(0) == "tab\tquote\" back\\ \xc3\xa9\xf0\x9d\x84\x9e");
  CHECK(r.text(1) == "plain");
}

TEST_CASE("a key with escapes is the key it stands for") {
  reader r({"symbol"});
  REQUIRE_FALSE(r.line(R"({"\u0073ymbol":"x"})"));
  CHECK(r.text(0) == "x");
}

TEST_CASE("an empty key and an empty string are text like any other") {
  reader r({"", "e"});
  REQUIRE_FALSE(r.line(R"({"":1,"e":""})"));
  CHECK(r.text(0) == "1");
  CHECK(r.kind(1) == field_kind::string);
  CHECK(r.text(1).empty());
}

TEST_CASE("quotes, brackets and backslashes inside strings have no meaning") {
  reader r({"a"});
  REQUIRE_FALSE(r.line(R"({"x":"\\","a":"}],:{[\"","y":"\\\""})"));
  CHECK(r.text(0) == "}],:{[\"");
}

TEST_CASE("lines of different shapes follow one another") {
  reader r({"price", "size"});
  auto const faults = r.run(
      "{\"price\":1,\"size\":2}\n{\"size\":4,\"price\":3}\n{\"prices\":0,\"price\":5,\"sizes\":0,\"size\":6}\n{\"price\":7,\"size\":8}");
  for (line_fault const& f : faults) CHECK_FALSE(f);
  CHECK(r.text(0, 0) + r.text(1, 0) + r.text(0, 1) + r.text(1, 1) + r.text(0, 2) + r.text(1, 2) + r.text(0, 3) + r.text(1, 3) ==
        "12345678");
}

TEST_CASE("keys that share a beginning of any length are told apart") {
  std::string const base = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (std::size_t n = 1; n < base.size(); ++n) {
    std::string const name = base.substr(0, n), longer = base.substr(0, n + 1), other = base.substr(0, n - 1) + "_";
    reader r({name});
    REQUIRE_FALSE(r.run("{\"" + name + "\":1}\n{\"" + longer + "\":2,\"" + name + "\":3}\n{\"" + other + "\":4,\"" + name + "\":5}").at(2));
    CHECK(r.text(0, 1) == "3");
    CHECK(r.text(0, 2) == "5");
  }
}

TEST_CASE("required fields may be neither missing nor null nor nested") {
  reader r({"a", "b"});
  CHECK(r.line(R"({"a":1})").kind == fault_kind::field_missing);
  CHECK(r.line(R"({"a":1})").number == 1);
  CHECK(r.line(R"({"a":1,"b":null})").kind == fault_kind::field_null);
  CHECK(r.line(R"({"a":{},"b":1})").kind == fault_kind::field_nested);
  CHECK(r.line(R"({"a":{},"b":1})").number == 0);
  CHECK(r.line(R"({"b":1,"a":[]})").at == 7);
}

TEST_CASE("a selected field that appears twice is a fault, another one is not") {
  reader r({"a"});
  CHECK(r.line(R"({"a":1,"a":1})").kind == fault_kind::field_twice);
  CHECK(r.line(R"({"a":1,"\u0061":1})").kind == fault_kind::field_twice);
  CHECK_FALSE(r.line(R"({"a":1,"b":1,"b":1})"));
}

TEST_CASE("a line that is not one JSON object is a fault at its place") {
  using enum fault_kind;
  check_fault("x", not_an_object, 0);
  check_fault("  [1]", not_an_object, 2);
  check_fault("\"a\"", not_an_object, 0);
  check_fault("1", not_an_object, 0);
  check_fault(R"({"a":1)", unclosed, 6);
  check_fault(R"({"a":)", unclosed, 5);
  check_fault(R"({"a")", unclosed, 4);
  check_fault(R"({"a":1,)", unclosed, 7);
  check_fault("{", unclosed, 1);
  check_fault(R"({"a":1} x)", after_object, 8);
  check_fault(R"({"a":1}{"a":1})", after_object, 7);
  check_fault(R"({"a":1}})", after_object, 7);
  check_fault(R"({a:1})", no_key, 1);
  check_fault(R"({"a":1,})", no_key, 7);
  check_fault(R"({"a":1,,"b":2})", no_key, 7);
  check_fault(R"({,"a":1})", no_key, 1);
  check_fault(R"({"a" 1})", no_colon, 5);
  check_fault(R"({"a":1 "b":2})", no_comma, 7);
  check_fault(R"({"a":1:2})", no_comma, 6);
  check_fault(R"({"a":"1"x})", no_comma, 8);
  check_fault(R"({"a":})", no_value, 5);
  check_fault(R"({"a":,"b":1})", no_value, 5);
  check_fault(R"({"a"::1})", no_value, 5);
  check_fault(R"({"a":1,"b":]})", no_value, 11);
  check_fault(R"({'a':1})", no_key, 1);
}

TEST_CASE("a value that is none is a fault, also where nobody asked for it") {
  using enum fault_kind;
  check_fault(R"({"a":tru})", bad_literal, 5);
  check_fault(R"({"a":1,"b":True})", bad_literal, 11);
  check_fault(R"({"a":1,"b":nulll})", bad_literal, 11);
  check_fault(R"({"a":NaN})", bad_literal, 5);
  check_fault(R"({"a":1,"b":undefined})", bad_literal, 11);
  check_fault(R"({"a":01})", bad_number, 5);
  check_fault(R"({"a":1,"b":1.})", bad_number, 11);
  check_fault(R"({"a":1,"b":-})", bad_number, 11);
  check_fault(R"({"a":1,"b":2"c"})", bad_number, 11);
  check_fault(R"({"a":"\x"})", bad_escape, 5);
  check_fault(R"({"a":1,"b":"\ud800"})", bad_escape, 11);
  check_fault(R"({"a":1,"\q":2})", bad_escape, 7);
  check_fault(R"({"a":1,"b":["\q"]})", bad_escape, 12);
}

TEST_CASE("nested values are checked, too") {
  using enum fault_kind;
  check_fault(R"({"a":1,"b":[1,]})", no_value, 14);
  check_fault(R"({"a":1,"b":[1 2]})", no_comma, 14);
  check_fault(R"({"a":1,"b":[1})", no_comma, 13);
  check_fault(R"({"a":1,"b":{"c"}})", no_colon, 15);
  check_fault(R"({"a":1,"b":{"c":1,}})", no_key, 18);
  check_fault(R"({"a":1,"b":{1:2}})", no_key, 12);
  check_fault(R"({"a":1,"b":{"c":1]})", no_comma, 17);
  check_fault(R"({"a":1,"b":[)", unclosed, 12);
  check_fault(R"({"a":1,"b":{"c":)", unclosed, 16);
  check_fault(R"({"a":1,"b":{"c":[{}]})", unclosed, 21);
  check_fault(R"({"a":1,"b":[[1,2],x]})", bad_literal, 18);
  reader r({"a"});
  CHECK_FALSE(r.line(R"({"b":[[],{},[{}],[[1,"x",null]],{"c":{"d":[]}}],"a":1})"));
  CHECK(r.text(0) == "1");
}

TEST_CASE("depth is limited") {
  reader r({"a"});
  auto const deep = [](std::size_t n) { return "{\"b\":" + std::string(n, '[') + std::string(n, ']') + ",\"a\":1}"; };
  CHECK_FALSE(r.line(deep(1024)));
  CHECK(r.line(deep(1025)).kind == fault_kind::too_deep);
}

TEST_CASE("strings that cannot be JSON are faults") {
  using enum fault_kind;
  check_fault("{\"a\":\"x}", unclosed_string, 5);
  check_fault("{\"a\":\"x\\\"}", unclosed_string, 8);
  check_fault("{\"a\":\"x\ty\"}", control_character, 7);
  check_fault(std::string("{\"a\":\"x\0y\"}", 11), control_character, 7);
  check_fault("{\"a\":\"x\xff\"}", not_utf8, 7);
  check_fault("{\"a\":1,\"b\":\"\xed\xa0\x80\"}", not_utf8, 12);
  check_fault("{\"a\":1\x01}", bad_number, 5);
  check_fault("{\"a\":\x0c 1}", bad_literal, 5);
}

TEST_CASE("one broken line in a run is one fault, wherever it is") {
  reader r({"a"});
  std::vector<std::string> const broken = {"{\"a\":\"", "\"", "\\", "{", "}", "\x80", "{\"a\":\"\\", "]["};
  for (std::string const& b : broken) {
    for (int place = 0; place < 4; ++place) {
      std::string text;
      for (int i = 0; i < 4; ++i) text += (i == place ? b : "{\"a\":" + std::to_string(i) + "}") + "\n";
      auto const faults = r.run(text);
      REQUIRE(faults.size() == 4);
      for (int i = 0; i < 4; ++i) {
        INFO(text);
        auto const n = static_cast<std::size_t>(i);
        CHECK(static_cast<bool>(faults[n]) == (i == place));
        if (i != place) CHECK(r.text(0, n) == std::to_string(i));
      }
    }
  }
}

TEST_CASE("a backslash at the end of a line does not join it to the next one") {
  reader r({"a"});
  auto const faults = r.run("{\"a\":\"x\\\ny\"}\n{\"a\":\"z\"}");
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].kind == fault_kind::unclosed_string);
  CHECK(faults[1]);
  CHECK_FALSE(faults[2]);
}

TEST_CASE("lines may be left out") {
  padded_text const run("{\"a\":1}\n{\"b\":[\"\\n\"]}\n{\"a\":3}\n");
  std::vector<std::string> const names{"a"};
  json_fields json(names, 1);
  field_memory memory(shared_bytes(4096));
  json.index(run.view());
  auto* const fields = memory.fields(1);
  REQUIRE_FALSE(json.parse(run.view().substr(21, 7), fields, memory));
  CHECK(fields[0].text() == "3");
}

TEST_CASE("many fields can be selected") {
  std::vector<std::string> names;
  std::string text = "{";
  for (int i = 0; i < 64; ++i) {
    names.push_back("field" + std::to_string(i));
    text += (i ? ",\"" : "\"") + names.back() + "\":" + std::to_string(i);
  }
  reader r(names);
  REQUIRE_FALSE(r.line(text + "}"));
  for (std::size_t i = 0; i < 64; ++i) CHECK(r.text(i) == std::to_string(i));
}
