#include <demonstration.hpp>
#include <report.hpp>

#include "support/catch.hpp"

#include <weir/error.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

using namespace payments;
using command_line::late_policy;

namespace {
constexpr weir::instant minute = 60'000'000'000;
}

TEST_CASE("sums are exact, and one that does not fit is an error") {
  payment_sum const fold;
  sum_of_payments a, b;
  fold.add(a, {"1", "x", cents(INT64_MAX - 1), 0}, 0);
  fold.add(b, {"2", "x", cents(1), 0}, 0);
  fold.merge(a, b);
  CHECK(fold.result(a) == sum_of_payments{2, cents(INT64_MAX)});
  CHECK_THROWS_WITH(fold.merge(a, b), Catch::Contains("92233720368547758.07 and 0.01") && Catch::Contains("does not fit"));
}

TEST_CASE("a report adds up the windows of each key, the last word on each") {
  report r;
  r.put({"shop-b", 0, {1, cents(500)}});
  r.put({"shop-a", 0, {2, cents(1990)}});
  r.put({"shop-a", minute, {1, cents(-250)}});
  r.put({"shop-b", 0, {2, cents(10'500)}});
  weir::tally d;
  d.in = 8;
  d.out = 5;
  d.duplicate = 2;
  d.late = 1;
  CHECK(r.text(d, late_policy::drop) ==
        "key     payments   total\n"
        "shop-a         3   17.40\n"
        "shop-b         2  105.00\n"
        "\n"
        "8 deliveries: 5 counted, 2 duplicates, 1 late (dropped)\n");
}

TEST_CASE("late payments that were set aside are listed") {
  report r;
  r.add_late({"pay-108", "shop-b", cents(10'000), 1'735'828'240'000'000'000});
  weir::tally d;
  d.in = 4;
  d.late = 1;
  d.dead = 1;
  d.open = 2;
  CHECK(r.text(d, late_policy::side) ==
        "key  payments  total\n"
        "\n"
        "4 deliveries: 0 counted, 0 duplicates, 1 late (set aside), 1 without a usable time, 2 in windows that are still open\n"
        "late: pay-108 shop-b 100.00 of 2025-01-02 14:30:40\n");
}

// What the demonstration's comment says, found by the definition: in windows of a minute, with a bound of 10 s.
TEST_CASE("the demonstration has three duplicates and one late payment") {
  report dropped, all;
  std::set<std::string> ids;
  std::map<std::pair<std::string, weir::instant>, sum_of_payments> on_time, with_late;
  int duplicates = 0, late = 0;
  weir::instant newest = weir::start_of_time;
  for (auto const& p : demonstration()) {
    if (!ids.insert(p.id).second) {
      ++duplicates;
      continue;
    }
    auto const window = p.time / minute * minute;
    payment_sum().add(with_late[{p.key, window}], p, p.time);
    bool const is_late = newest != weir::start_of_time && newest - 10'000'000'000 - 1 >= window + minute;
    late += is_late ? 1 : 0;
    if (!is_late) payment_sum().add(on_time[{p.key, window}], p, p.time);
    newest = std::max(newest, p.time);
  }
  for (auto const& [where, s] : on_time) dropped.put({where.first, where.second, s});
  for (auto const& [where, s] : with_late) all.put({where.first, where.second, s});
  CHECK(ids.size() == 9);
  CHECK(duplicates == 3);
  CHECK(late == 1);
  CHECK((dropped.totals() == std::map<std::string, sum_of_payments>{{"shop-a", {5, cents(6'250)}}, {"shop-b", {3, cents(1'700)}}}));
  CHECK((all.totals() == std::map<std::string, sum_of_payments>{{"shop-a", {5, cents(6'250)}}, {"shop-b", {4, cents(11'700)}}}));
}
