#include <decode_tick.hpp>

#include "support/catch.hpp"

#include <string>

using namespace ticks;
using command_line::time_unit;

namespace {
tick_texts const good{"BTCUSDT", "61837.63000000", "0.02000000", "3735683259", "1723161255342"};

tick_flaw flaw_of(tick_texts const& texts, tick_fields const& fields = {}) {
  tick t;
  return decode_tick(texts, fields, {}, t);
}
tick_texts with(std::string_view tick_texts::* field, std::string_view value) {
  auto texts = good;
  texts.*field = value;
  return texts;
}
}  // namespace

TEST_CASE("the texts of a record make a tick") {
  tick t;
  REQUIRE(decode_tick(good, {}, {}, t) == tick_flaw::none);
  CHECK(t.name.view() == "BTCUSDT");
  CHECK(t.price.text() == "61837.63000000");
  CHECK(t.size.text() == "0.02000000");
  CHECK(t.order.id == 3735683259);
  CHECK(t.time() == 1723161255342000000);
}

TEST_CASE("a tick without a trade id is good when the input has none") {
  auto const texts = with(&tick_texts::trade_id, {});
  tick_fields fields;
  CHECK(flaw_of(texts, fields) == tick_flaw::trade_id_missing);
  fields.trade_id.clear();
  CHECK(flaw_of(texts, fields) == tick_flaw::none);
}

TEST_CASE("a time is read in the unit the input has") {
  tick t;
  tick_fields fields;
  fields.unit = time_unit::rfc3339;
  REQUIRE(decode_tick(with(&tick_texts::time, "2024-08-08T23:54:15.342Z"), fields, {}, t) == tick_flaw::none);
  CHECK(t.time() == 1723161255342000000);
  fields.unit = time_unit::seconds;
  REQUIRE(decode_tick(with(&tick_texts::time, "1723161255"), fields, {}, t) == tick_flaw::none);
  CHECK(t.time() == 1723161255000000000);
  fields.unit = time_unit::milliseconds;
  REQUIRE(decode_tick(with(&tick_texts::time, "-1723161255"), fields, {}, t) == tick_flaw::none);
  CHECK(t.time() == -1723161255000000);
}

TEST_CASE("every flaw of a tick is told apart") {
  struct row {
    std::string_view tick_texts::* field;
    std::string_view value;
    tick_flaw flaw;
  };
  std::string const long_name(24, 'x');
  for (row const& r : {row{&tick_texts::symbol, {}, tick_flaw::symbol_missing},
                       row{&tick_texts::symbol, "", tick_flaw::symbol_missing},
                       row{&tick_texts::symbol, long_name, tick_flaw::symbol_too_long},
                       row{&tick_texts::symbol, "A\nB", tick_flaw::symbol_not_text},
                       row{&tick_texts::symbol, "A\xff", tick_flaw::symbol_not_text},
                       row{&tick_texts::price, {}, tick_flaw::price_missing},
                       row{&tick_texts::price, "", tick_flaw::price_not_a_number},
                       row{&tick_texts::price, "1e5", tick_flaw::price_not_a_number},
                       row{&tick_texts::price, "nan", tick_flaw::price_not_a_number},
                       row{&tick_texts::price, "0.00", tick_flaw::price_not_positive},
                       row{&tick_texts::price, "-5", tick_flaw::price_not_positive},
                       row{&tick_texts::size, {}, tick_flaw::size_missing},
                       row{&tick_texts::size, "1.2.3", tick_flaw::size_not_a_number},
                       row{&tick_texts::size, "-0.5", tick_flaw::size_negative},
                       row{&tick_texts::size, "0", tick_flaw::none},
                       row{&tick_texts::trade_id, {}, tick_flaw::trade_id_missing},
                       row{&tick_texts::trade_id, "12x", tick_flaw::trade_id_not_a_number},
                       row{&tick_texts::trade_id, "9223372036854775808", tick_flaw::trade_id_not_a_number},
                       row{&tick_texts::trade_id, "9223372036854775807", tick_flaw::none},
                       row{&tick_texts::time, {}, tick_flaw::time_missing},
                       row{&tick_texts::time, "17231612553x2", tick_flaw::time_not_a_time},
                       row{&tick_texts::time, "", tick_flaw::time_not_a_time},
                       row{&tick_texts::time, "9999999999999", tick_flaw::time_not_a_time},
                       row{&tick_texts::time, "1723161255342000000", tick_flaw::time_not_a_time}}) {
    INFO(r.value);
    CHECK(flaw_of(with(r.field, r.value)) == r.flaw);
  }
}

TEST_CASE("a flaw is described with the field's own name and its value in plain characters") {
  tick_fields fields;
  fields.size = "qty";
  CHECK(describe(tick_flaw::size_negative, with(&tick_texts::size, "-0.5"), fields) ==
        R"(field "qty" is "-0.5", but a size is not negative)");
  CHECK(describe(tick_flaw::price_missing, good, fields) == R"(there is no field "price")");
  CHECK(describe(tick_flaw::symbol_not_text, with(&tick_texts::symbol, "A\n\xff"), fields) ==
        R"(field "symbol" is "A\x0a\xff", not plain UTF-8 text)");
  auto const text = describe(tick_flaw::price_not_a_number, with(&tick_texts::price, std::string(100'000, '9')), fields);
  CHECK(text.size() < 250);
}
