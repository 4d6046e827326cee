#include <decode_payment.hpp>

#include "apps/decoded.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>
#include <vector>

using namespace payments;

namespace {

std::string const good = R"({"id":"pay-101","key":"shop-a","amount":"19.90","time":1735828205000})";

std::vector<payment> read(std::string const& text, weir::file::broken_line_policy policy = {}) {
  return weir::test::decoded_lines(decoder_of_payments, text, policy);
}
std::string with(std::string const& part, std::string const& other) { return weir::test::with_other(good, part, other); }

}  // namespace

TEST_CASE("a line of JSON is a payment, its amount exact as number or text") {
  payment const expected{"pay-101", "shop-a", cents(1990), 1'735'828'205'000'000'000};
  for (auto const& text :
       {good, with(R"("19.90")", "19.90"), with(R"("19.90")", "19.9"), with("1735828205000", R"("2025-01-02T15:30:05+01:00")")}) {
    INFO(text);
    CHECK(read(text) == std::vector<payment>{expected});
  }
  CHECK(read(with("19.90", "-0.01"))[0].amount == cents(-1));
  CHECK(read(with(R"("pay-101")", "101"))[0].id == "101");
}

TEST_CASE("a line that is no payment ends the run, and says which field should be what") {
  struct row {
    std::string part, other, field, expected;
  };
  for (row const& r : {row{"pay-101", "", "id", "a name of 1 to 200 bytes"}, row{"shop-a", "", "key", "a name of 1 to 200 bytes"},
                       row{R"("19.90")", "1e3", "amount", "an amount with up to two digits behind the point, without exponent"},
                       row{"19.90", "19.905", "amount", "an amount"}, row{R"("19.90")", "true", "amount", "an amount"},
                       row{"1735828205000", R"("noon")", "time", "a time"}}) {
    INFO(r.field << " " << r.other);
    auto const text = with(r.part, r.other);
    weir::test::fails_with(
        weir::errc::malformed, [&] { read(text); }, "payments: cannot use a line", "input.ndjson, line 1, byte 0",
        "field \"" + r.field + "\" is", "but should be " + r.expected);
  }
}

TEST_CASE("a line that is no payment goes to the dead letters, and becomes a payment without an id") {
  int dead = 0;
  auto const all = read(with("19.90", "x") + "\n" + good + "\n", weir::file::dead_letter([&](weir::file::broken_line const&) { ++dead; }));
  REQUIRE(all.size() == 2);
  CHECK(all[0].id.empty());
  CHECK(all[1].id == "pay-101");
  CHECK(dead == 1);
}
