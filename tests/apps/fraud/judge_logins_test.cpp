#include <login_generator.hpp>
#include <run_fraud.hpp>

#include "support/catch.hpp"

#include <weir/from.hpp>
#include <weir/testing/run.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace fraud;

namespace {

constexpr weir::instant second = 1'000'000'000, minute = 60 * second;

weir::task<std::vector<std::string>> texts(weir::stream<alert> alerts) {
  std::vector<std::string> out;
  while (alert* const a = co_await alerts.next()) out.push_back(alert_text(*a));
  co_return out;
}
struct outcome {
  std::vector<std::string> alerts;
  weir::key_counts counts;
};
outcome judged(std::vector<login> logins, options const& o = {}, std::size_t chunk = 256) {
  auto const counts = std::make_shared<weir::key_counts>();
  outcome r;
  r.alerts = weir::testing::run(texts(alerts_of(weir::from(std::move(logins), chunk), o, counts)));
  r.counts = *counts;
  return r;
}
login fails(weir::instant at, std::string account = "a") { return login{std::move(account), at, place{52.5, 13.4}, false}; }

}  // namespace

//  failed   0    4 min    2 min (arrives last, within the bound of three minutes)
TEST_CASE("three failed logins within five minutes are told, in whatever order they come") {
  options o;
  o.bound = 3 * minute;
  std::string const expected = R"({"alert":"failed_logins","account":"a","first":0,"last":240000,"failures":3})";
  CHECK(judged({fails(0), fails(4 * minute), fails(2 * minute)}, o).alerts == std::vector<std::string>{expected});
  CHECK(judged({fails(0), fails(2 * minute), fails(4 * minute)}, o, 1).alerts == std::vector<std::string>{expected});
}

TEST_CASE("failed logins further apart, or of different accounts, are not told") {
  CHECK(judged({fails(0), fails(4 * minute), fails(5 * minute + 1)}).alerts.empty());
  CHECK(judged({fails(0), fails(1, "b"), fails(2, "c")}).alerts.empty());
}

TEST_CASE("a login behind the watermark is not judged, and counted") {
  auto const r = judged({fails(0), fails(minute), fails(10 * minute), fails(2 * minute)});
  CHECK(r.alerts.empty());
  CHECK(r.counts.late == 1);
}

TEST_CASE("among many logins exactly the planted frauds are told") {
  options o;
  o.made.start -= 400 * 24 * 60 * minute;  // the clock of the simulation stands before the built-in logins
  login_generator logins(o.made);
  std::vector<login> all;
  for (int i = 0; i != 50'000; ++i) all.push_back(logins.next());
  std::vector<std::string> expected;
  for (alert const& a : logins.frauds()) expected.push_back(alert_text(a));
  auto got = judged(all, o).alerts;
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  CHECK(expected.size() > 20);
  CHECK(got == expected);
}
