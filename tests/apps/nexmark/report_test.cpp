#include <generator.hpp>
#include <options.hpp>
#include <report.hpp>
#include <run_queries.hpp>

#include "support/catch.hpp"

#include <string>

using namespace nexmark;

namespace {
figures some(std::string const& name) {
  figures f{.query = name, .rows = 3};
  for (double const ns : {9.0, 4.0, 5.0}) f.ours.add(ns);
  return f;
}
}  // namespace

TEST_CASE("a line of the table has rate, median and spread, and what the loop takes where there is one") {
  figures with_loop = some("q1");
  with_loop.by_hand.add(2);
  std::string const text = table({some("q0"), with_loop}, 100);
  CHECK(text.find("; 100 events\n") != text.npos);
  CHECK(text.find("q0                        3           200.00      5.00     4.00 to 9.00\n") != text.npos);
  CHECK(text.find("q1                        3           200.00      5.00     4.00 to 9.00         2.00    2.50\n") != text.npos);
}

TEST_CASE("the figures as JSON") {
  figures with_loop = some("q1");
  with_loop.by_hand.add(2);
  std::string const text = json({some("q0"), with_loop}, 100);
  CHECK(text.find(R"("events":100,"queries":[{"query":"q0","rows":3,"ours":{"median_ns":5.000,"least_ns":4.000,"greatest_ns":9.000}},)") !=
        text.npos);
  CHECK(text.find(R"("by_hand":{"median_ns":2.000,"least_ns":2.000,"greatest_ns":2.000},"ratio":2.500}]})") != text.npos);
}

TEST_CASE("the queries that were asked for are timed as often as was asked") {
  options o;
  o.repetitions = 2;
  o.queries = {"q0", "q4", "q12"};
  auto events = generate(5'000);
  auto const all = run_queries(o, events);
  REQUIRE(all.size() == 3);
  CHECK(all[0].query == "q0");
  CHECK(all[0].rows == 4'600);
  CHECK(!all[0].by_hand.empty());
  CHECK(all[1].query == "q4");
  CHECK(all[1].ours.least() > 0);
  CHECK(all[1].by_hand.empty());
  CHECK(all[2].query == "q12");  // by a clock that is not the run's
  CHECK(all[2].rows > 0);
}
