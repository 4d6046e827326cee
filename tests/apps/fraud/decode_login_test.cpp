#include <decode_login.hpp>

#include "apps/decoded.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>
#include <vector>

using namespace fraud;

namespace {

std::string const good = R"({"account":"a17","time":1735828200123,"latitude":52.52,"longitude":-13.405,"success":true})";

std::vector<login> read(std::string const& text, weir::file::broken_line_policy policy = {}) {
  return weir::test::decoded_lines(decoder_of_logins, text, policy);
}
std::string with(std::string const& part, std::string const& other) { return weir::test::with_other(good, part, other); }

}  // namespace

TEST_CASE("a line of JSON is a login") {
  auto const logins = read(good + "\n" + with("1735828200123", R"("2025-01-02T14:30:00.123Z")") + "\n" + with("true", "false"));
  REQUIRE(logins.size() == 3);
  login const expected{"a17", 1'735'828'200'123'000'000, {52.52, -13.405}, true};
  CHECK(logins[0] == expected);
  CHECK(logins[1] == expected);
  CHECK_FALSE(logins[2].success);
  CHECK(read(with(R"("a17")", "17"))[0].account == "17");
  CHECK(read(with("52.52", R"("-90")"))[0].from.latitude == -90);
  CHECK(read(with("52.52", "0"))[0].from.latitude == 0);
}

TEST_CASE("a line that is no login ends the run, and says which field should be what") {
  struct row {
    std::string part, other, field, expected;
  };
  for (row const& r : {row{R"("a17")", R"("")", "account", "a name of 1 to 200 bytes of plain UTF-8 text"},
                       row{R"("a17")", R"("a\n")", "account", "a name"}, row{R"("a17")", "true", "account", "a name"},
                       row{"a17", std::string(201, 'x'), "account", "a name"},
                       row{"1735828200123", R"("1735828200123")", "time", "ms since 1970 as a number, or RFC 3339 as text"},
                       row{"1735828200123", "1.5", "time", "a time"}, row{"1735828200123", "true", "time", "a time"},
                       row{"1735828200123", R"("2025-02-30T14:30:00Z")", "time", "a time"},
                       row{"1735828200123", "9200000000000", "time", "in the years 1680 to 2260"},
                       row{"52.52", "90.001", "latitude", "degrees from -90 to 90"}, row{"52.52", R"("nan")", "latitude", "degrees"},
                       row{"52.52", R"("north")", "latitude", "degrees"}, row{"-13.405", "-180.5", "longitude", "degrees from -180 to 180"},
                       row{"true", R"("true")", "success", "true or false"}, row{"true", "1", "success", "true or false"}}) {
    INFO(r.field << " " << r.other);
    auto const text = good + "\n" + with(r.part, r.other) + "\n";
    weir::test::fails_with(
        weir::errc::malformed, [&] { read(text); }, "fraud: cannot use a line", "input.ndjson, line 2, byte 91",
        "field \"" + r.field + "\" is", "but should be ", r.expected, "--on-broken-line");
  }
  for (auto const* field : {"account", "time", "latitude", "longitude", "success"}) {
    INFO(field);
    weir::test::fails_with(weir::errc::malformed, [&] { read(with(field, "other")); }, field);
  }
}

TEST_CASE("a line that is no login goes to the dead letters, and becomes a login without an account") {
  int dead = 0;
  auto const logins =
      read(with("true", "1") + "\n" + good + "\nno JSON\n", weir::file::dead_letter([&](weir::file::broken_line const&) { ++dead; }));
  REQUIRE(logins.size() == 2);
  CHECK(logins[0].account.empty());
  CHECK(logins[1].account == "a17");
  CHECK(dead == 2);
}
