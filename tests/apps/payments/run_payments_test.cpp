#include <demonstration.hpp>
#include <report.hpp>
#include <run_payments.hpp>

#include "support/catch.hpp"

#include <weir/from.hpp>
#include <weir/testing/run.hpp>

#include <map>
#include <string>
#include <vector>

using namespace payments;

namespace {

// The clock of the simulation stands a year before the demonstration.
std::vector<payment> deliveries() {
  auto all = demonstration();
  for (payment& p : all) p.time -= 400 * 24 * 3'600'000'000'000;
  return all;
}

struct outcome {
  report out;
  weir::tally deliveries;
};
weir::task<> put_all(weir::stream<window_sum> sums, report& out) {
  while (auto* const w = co_await sums.next()) out.put(*w);
}
outcome count(command_line::late_policy late, std::size_t chunk = 256) {
  options o;
  o.time.late = late;
  outcome result;
  weir::ledger const books;
  auto const aside = [&result](payment const& p) { result.out.add_late(p); };
  weir::testing::run(put_all(sums_of_windows(weir::from(deliveries(), chunk), o, aside, books), result.out));
  result.deliveries = books.sum("payments");
  return result;
}

using by_key = std::map<std::string, sum_of_payments>;

}  // namespace

// By hand, from the list of the demonstration: nine payments in twelve deliveries, three of them again, pay-108 when its minute is over.
TEST_CASE("duplicates are counted once, and a late payment is dropped and counted as late") {
  for (std::size_t const chunk : {1u, 5u, 256u}) {
    auto const r = count(command_line::late_policy::drop, chunk);
    CHECK(r.out.totals() == by_key{{"shop-a", {5, cents(6250)}}, {"shop-b", {3, cents(1700)}}});
    CHECK(r.deliveries.in == 12);
    CHECK(r.deliveries.out == 8);
    CHECK(r.deliveries.duplicate == 3);
    CHECK(r.deliveries.late == 1);
    CHECK(r.deliveries.balanced());
    CHECK(r.out.late().empty());
  }
}

TEST_CASE("a late payment is set aside as it was") {
  auto const r = count(command_line::late_policy::side);
  CHECK(r.out.totals() == by_key{{"shop-a", {5, cents(6250)}}, {"shop-b", {3, cents(1700)}}});
  REQUIRE(r.out.late().size() == 1);
  CHECK(r.out.late()[0].id == "pay-108");
  CHECK(r.deliveries.late == 1);
}

TEST_CASE("a late payment corrects its window") {
  auto const r = count(command_line::late_policy::update);
  CHECK(r.out.totals() == by_key{{"shop-a", {5, cents(6250)}}, {"shop-b", {4, cents(11700)}}});
  CHECK(r.deliveries.late == 0);
  CHECK(r.deliveries.out == 9);
  CHECK(r.deliveries.balanced());
}
