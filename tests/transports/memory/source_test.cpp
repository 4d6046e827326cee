#include <weir/memory/source.hpp>

#include <weir/error.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/reschedule.hpp>
#include <weir/testing/recorder.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::script;

namespace {

task<std::vector<int>> collect(stream<int> s) {
  std::vector<int> all;
  while (int* x = co_await s.next()) all.push_back(*x);
  co_return all;
}

}  // namespace

TEST_CASE("a script opened after a position continues there, wherever its chunks are cut", "[memory]") {
  script<int> const s = script<int>().elements({1, 2, 3}).element(4).elements({5, 6});
  memory::source<int> source(s);
  for (std::uint64_t after = 0; after <= 6; ++after) {
    std::vector<int> expected;
    for (int i = static_cast<int>(after) + 1; i <= 6; ++i) expected.push_back(i);
    CHECK(testing::run(collect(source.open("0", position(after)))) == expected);
  }
  CHECK(testing::run(collect(source.open("0", std::nullopt))).size() == 6);
  CHECK(s.openings() == 8);
}

TEST_CASE("elements are handed over in the chunks they were written in", "[memory]") {
  auto body = []() -> task<std::vector<std::size_t>> {
    auto s = script<int>().elements({1, 2, 3}).element(4).elements({5, 6}).play();
    std::vector<std::size_t> sizes;
    while (chunk<int> c = co_await next_chunk(s)) sizes.push_back(c.elements.size());
    co_return sizes;
  };
  CHECK(testing::run(body()) == std::vector<std::size_t>{3, 1, 2});
}

TEST_CASE("gaps take virtual time, and are over for who resumes behind them", "[memory]") {
  script<int> const s = script<int>().element(1).wait(1h).element(2).wait(1h).element(3);
  auto body = [](script<int> what, std::uint64_t after) -> task<instant> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    auto all = what.play("0", after);
    while (co_await all.next()) {}
    co_return own.clock().now() - start;
  };
  CHECK(testing::run(body(s, 0)) == 7'200'000'000'000);
  CHECK(testing::run(body(s, 1)) == 7'200'000'000'000);  // the gap before the next element is still to come
  CHECK(testing::run(body(s, 2)) == 3'600'000'000'000);
}

// s    0   2   4   5       8   9       2 s each, then 3 s of which it says nothing
TEST_CASE("a quiet script says so while it lasts, and for how long by now", "[memory]") {
  script<int> const s = script<int>().element(1).quiet(5s, 2s).wait(3s).quiet(1s).element(2).quiet(1s);
  auto body = [](stream<int> all) -> task<std::string> {
    context const& own = co_await current_context();
    instant const start = own.clock().now();
    std::string told;
    while (chunk<int> c = co_await next_chunk(all)) {
      for (mark const& m : c.marks)
        told += "q" + std::to_string(m.time / 1'000'000'000) + "@" + std::to_string((own.clock().now() - start) / 1'000'000'000) + " ";
      for (int const x : c.elements) told += std::to_string(x) + " ";
    }
    co_return told;
  };
  CHECK(testing::run(body(s.play())) == "1 q2@2 q4@4 q5@5 q6@9 2 q1@10 ");
  CHECK(testing::run(body(s.play("0", 2))) == "q1@1 ");
  test::fails_with(errc::invalid_option, [] { script<int>("feed").quiet(1s, 0s); }, "feed", "without a pause");
}

TEST_CASE("a failure happens once, after what came before it", "[memory]") {
  script<int> const s = script<int>("feed").elements({1, 2}).fail("connection lost").element(3);
  testing::recorder<int> seen;
  test::fails_with(errc::unavailable, [&] { testing::run(seen.drain(s.play())); }, "feed", "connection lost");
  CHECK(seen.values() == std::vector<int>{1, 2});
  CHECK(testing::run(collect(s.play("0", 2))) == std::vector<int>{3});
}

TEST_CASE("partitions are separate, and an unknown one is a clear error", "[memory]") {
  memory::source<int> source(script<int>().partition("a").element(1).partition("b").elements({2, 3}));
  CHECK(source.partitions() == std::vector<std::string>{"a", "b"});
  CHECK(testing::run(collect(source.open("b", std::nullopt))) == std::vector<int>{2, 3});
  test::fails_with(errc::not_found, [&] { testing::run(collect(source.open("c", std::nullopt))); }, "partition c");
}

TEST_CASE("a recorder keeps what it was given with the time on the clock", "[testing]") {
  testing::recorder<int> seen;
  testing::run(seen.drain(script<int>().element(1).wait(5s).element(2).play()));
  REQUIRE(seen.entries().size() == 2);
  CHECK(seen.entries()[1].at - seen.entries()[0].at == 5'000'000'000);
}

TEST_CASE("the same seed gives the same order of events, another seed another", "[testing]") {
  auto order = [](std::uint64_t seed) {
    std::string log;
    application app;
    script<int> s;
    for (char const* id : {"a", "b", "c", "d"}) s.partition(id).element(1).wait(1ms).element(2);
    app.use_memory_stream(s, [&](auto& pipeline) {
      pipeline.use_stream([&](stream<int> items, stream_context& context) -> task<> {
        co_await reschedule();
        while (co_await items.next()) {
          log += context.partition();
          co_await reschedule();
        }
      });
    });
    testing::run(app.serve(), seed);
    return log;
  };
  CHECK(order(7) == order(7));
  bool differs = false;
  for (std::uint64_t seed = 1; seed != 10; ++seed) differs = differs || order(seed) != order(seed + 1);
  CHECK(differs);
}
