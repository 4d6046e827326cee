// What operators keep of a partition that has ended goes on in those that follow it.
#include <weir/application.hpp>
#include <weir/heir.hpp>
#include <weir/ledger.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/dedup.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/expiry.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/process.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/session_window.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/split.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/delivery_check.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "handover_support.hpp"
#include "properties/dice.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/keeping_in.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;
using test::keeping_in;
using test::sales::at;
using test::sales::behind;
using test::sales::in_front;
using test::sales::name_of;
using test::sales::run_once;
using test::sales::sale;
using test::sales::second;
using testing::script;

namespace {

// Sales of the keys a to f, at most two seconds out of order, each of another amount; some come twice.
std::vector<sale> sales(test::dice& d, int n) {
  std::vector<sale> all;
  for (int i = 0; i != n; ++i) {
    sale s;
    s.key = std::string(1, static_cast<char>('a' + d.upto(5)));
    s.at = (1'000 + i - d.upto(2)) * second;
    s.amount = std::int64_t{1} << (i % 40);
    s.id = i;
    all.push_back(s);
    if (d.upto(7) == 0) all.push_back(s);
  }
  return all;
}

// The same, in one partition that is split and whose halves are merged again, at any places.
script<sale> resharded(std::vector<sale> const& all, std::size_t split, std::size_t merge) {
  script<sale> out("sales");
  out.partition("whole");
  for (std::size_t i = 0; i != split; ++i) out.element(all[i]);
  for (bool const left : {true, false}) {
    out.partition(left ? "left" : "right").follows({"whole"}).keys(left ? in_front : behind).wait(1s);  // beside each other
    for (std::size_t i = split; i != merge; ++i)
      if (in_front(all[i].key) == left) out.element(all[i]);
  }
  out.partition("again").follows({"left", "right"});
  for (std::size_t i = merge; i != all.size(); ++i) out.element(all[i]);
  return out;
}

using results = std::map<std::string, std::string>;

// What windows over one partition with all of it have, worked out without them.
results windows_by_hand(std::vector<sale> const& all, instant size, instant slide) {
  std::map<std::pair<std::string, instant>, std::map<std::int64_t, std::int64_t>> amounts;
  for (sale const& s : all)
    for (instant start = s.at / slide * slide; start > s.at - size; start -= slide) amounts[{s.key, start}][s.id] = s.amount;
  results out;
  for (auto const& [window, by_id] : amounts) {
    std::int64_t total = 0;
    for (auto const& one : by_id) total += one.second;
    out[name_of(window.first, window.second)] = std::to_string(total);
  }
  return out;
}
results sessions_by_hand(std::vector<sale> const& all, instant gap) {
  std::map<std::string, std::map<std::pair<instant, std::int64_t>, std::int64_t>> by_key;
  for (sale const& s : all) by_key[s.key][{s.at, s.id}] = s.amount;
  results out;
  for (auto const& [key, ones] : by_key) {
    instant begin = 0, last = 0;
    std::int64_t total = 0;
    for (auto const& [at, amount] : ones) {
      if (total != 0 && at.first - last >= gap) {
        out[name_of(key, begin)] = std::to_string(total);
        total = 0;
      }
      if (total == 0) begin = at.first;
      last = at.first;
      total += amount;
    }
    out[name_of(key, begin)] = std::to_string(total);
  }
  return out;
}

template <class Windows> auto totals_in(Windows windows) {
  return [windows](stream<sale> in, stream_context&, testing::idempotent_sink& out) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | dedup(&sale::id, 60s);
    auto totals = windows(std::move(timed) | key_by(&sale::key)) | aggregate(sum(&sale::amount));
    while (auto* x = co_await totals.next()) {
      std::string const name = name_of(x->key, x->window.start);
      std::string const value = std::to_string(x->value);
      co_await out.write(name, value);
    }
  };
}

// The same as tumbling windows of ten seconds, by hand.
struct by_tens {
  using state = std::map<instant, std::int64_t>;  // totals by start
  using output = std::pair<std::string, std::string>;
  void element(sale const& s, state& totals, auto& c) {
    instant const start = s.at / (10 * second) * (10 * second);
    totals[start] += s.amount;
    c.set_timer(start + 10 * second);
  }
  void timer(instant at, state& totals, auto& c) {
    instant const start = at - 10 * second;
    c.emit(output(name_of(c.key(), start), std::to_string(totals.at(start))));
    totals.erase(start);
  }
};
task<> tens(stream<sale> in, stream_context&, testing::idempotent_sink& out) {
  auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | dedup(&sale::id, 60s) | key_by(&sale::key);
  auto totals = std::move(timed) | process(by_tens(), never_expires());
  while (auto* x = co_await totals.next()) co_await out.write(x->first, x->second);
}

task<> in_branches(stream<sale> in, stream_context&, testing::idempotent_sink& out) {
  auto halves = split(std::move(in), [](sale const& s) { return s.id % 2 == 0; });
  stream<sale> met = merge(std::move(halves.matching), std::move(halves.rest));
  auto once = std::move(met) | event_time(&sale::at, bounded_disorder(1h)) | dedup(&sale::id, 60s);  // any order
  auto totals = std::move(once) | key_by(&sale::key) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount));
  while (auto* x = co_await totals.next()) {
    std::string const name = name_of(x->key, x->window.start);
    std::string const value = std::to_string(x->value);
    co_await out.write(name, value);
  }
}

// The total of each key after each of its sales.
using running = std::pair<std::int64_t, std::int64_t>;  // how many, and how much
task<> running_totals(stream<sale> in, stream_context&, testing::idempotent_sink& out) {
  auto totals = std::move(in) | key_by(&sale::key) |
                scan(running(), [](running& r, sale const& s) { r = running(r.first + 1, r.second + s.amount); }, never_expires());
  while (auto* x = co_await totals.next()) {
    std::string const name = x->key + "#" + std::to_string(x->value.first);
    std::string const value = std::to_string(x->value.second);
    co_await out.write(name, value);
  }
}
results running_by_hand(std::vector<sale> const& all) {
  std::map<std::string, running> by_key;
  results out;
  for (sale const& s : all) {
    running& r = by_key[s.key];
    r = running(r.first + 1, r.second + s.amount);
    out[s.key + "#" + std::to_string(r.first)] = std::to_string(r.second);
  }
  return out;
}

}  // namespace

TEST_CASE("windows that span a split and a merge close once, with everything in them, whatever goes wrong") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    test::dice d(seed);
    std::vector<sale> const all = sales(d, 24);
    auto const merge = static_cast<std::size_t>(d.upto(static_cast<int>(all.size())));
    auto const split = static_cast<std::size_t>(d.upto(static_cast<int>(merge)));
    INFO("seed " << seed << ", split at " << split << ", merge at " << merge << " of " << all.size());
    auto const input = resharded(all, split, merge);
    SECTION("tumbling " + std::to_string(seed)) {
      testing::delivery_check check(input, totals_in([](auto keyed) { return std::move(keyed) | tumbling_window(10s, late::drop()); }));
      auto const report = check.expect(windows_by_hand(all, 10 * second, 10 * second)).pairs(30).run();
      INFO(report.text());
      CHECK(report.passed());
    }
    SECTION("sliding " + std::to_string(seed)) {
      testing::delivery_check check(input, totals_in([](auto keyed) { return std::move(keyed) | sliding_window(10s, 4s, late::drop()); }));
      auto const report = check.expect(windows_by_hand(all, 10 * second, 4 * second)).pairs(30).run();
      INFO(report.text());
      CHECK(report.passed());
    }
    SECTION("process " + std::to_string(seed)) {
      auto const report = testing::delivery_check(input, tens).expect(windows_by_hand(all, 10 * second, 10 * second)).pairs(30).run();
      INFO(report.text());
      CHECK(report.passed());
    }
    SECTION("scan " + std::to_string(seed)) {
      auto const report = testing::delivery_check(input, running_totals).expect(running_by_hand(all)).pairs(30).run();
      INFO(report.text());
      CHECK(report.passed());
    }
    SECTION("behind branches that have met " + std::to_string(seed)) {
      testing::delivery_check check(input, in_branches);
      auto const report = check.expect(windows_by_hand(all, 10 * second, 10 * second)).pairs(10).run();
      INFO(report.text());
      CHECK(report.passed());
    }
    SECTION("sessions " + std::to_string(seed)) {
      testing::delivery_check check(input, totals_in([](auto keyed) { return std::move(keyed) | session_window(5s, late::drop()); }));
      auto const report = check.expect(sessions_by_hand(all, 5 * second)).pairs(30).run();
      INFO(report.text());
      CHECK(report.passed());
    }
  }
}

TEST_CASE("what is late in one partition is late in that which follows it") {
  script<sale> input("sales");
  input.partition("whole").elements({at("a", 1'000, 1), at("a", 1'020, 2)});
  input.partition("left").follows({"whole"}).keys(in_front).wait(1s).element(at("b", 1'009, 4));
  input.partition("right").follows({"whole"}).keys(behind).wait(1s).element(at("f", 1'009, 8));
  std::vector<std::string> late_ones;
  ledger books;
  run_once(input, std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context&) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
    auto totals = std::move(timed) |
                  tumbling_window(10s, late::side_output([&late_ones](sale const& s, lateness const&) { late_ones.push_back(s.key); })) |
                  aggregate(sum(&sale::amount)).counted_in(books, "sales");
    while (co_await totals.next()) {}
  });
  CHECK(late_ones == std::vector<std::string>{"b", "f"});
  tally const all = books.sum("sales");
  CHECK(all.in == 4);
  CHECK(all.out == 2);
  CHECK(all.late == 2);
  CHECK(all.open == 0);
}

TEST_CASE("the books count each element once, however often its partition is split and merged") {
  test::dice d(9);
  std::vector<sale> const all = sales(d, 60);
  ledger books;
  run_once(resharded(all, 20, 40), std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context&) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)).counted_in(books, "time") | key_by(&sale::key);
    auto totals = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount)).counted_in(books, "sales");
    while (co_await totals.next()) CHECK(books.sum("sales").balanced());
  });
  CHECK(books.sum("sales").in == all.size());
  CHECK(books.sum("sales").out == all.size());
}

TEST_CASE("a partition without a record hands on what it took over") {
  script<sale> input("sales");
  input.partition("whole").elements({at("a", 1'000, 1), at("f", 1'001, 2)});
  input.partition("left").follows({"whole"}).keys(in_front);
  input.partition("right").follows({"whole"}).keys(behind);
  input.partition("again").follows({"left", "right"});
  input.partition("last").follows({"again"}).element(at("a", 1'002, 4));
  auto const report =
      testing::check_delivery(input, totals_in([](auto keyed) { return std::move(keyed) | tumbling_window(10s, late::drop()); }));
  INFO(report.text());
  CHECK(report.passed());
  std::vector<std::string> given;
  run_once(input.afresh(), std::make_shared<memory_state_store>(), [&](stream<sale> in, stream_context& c) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
    auto totals = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount));
    while (auto* x = co_await totals.next()) given.push_back(std::string(c.partition()) + " " + x->key + " " + std::to_string(x->value));
  });
  CHECK(given == std::vector<std::string>{"last a 5", "last f 2"});
}

TEST_CASE("windows that a quiet time closes are committed, though no record came since they were taken over") {
  script<sale> input("sales");
  input.partition("whole").elements({at("a", 1'000, 1), at("f", 1'001, 2)});
  input.partition("again").follows({"whole"}).quiet(60s).fail("the source is gone");
  auto const store = std::make_shared<memory_state_store>();
  memory_table<std::string> const table(store);
  application app(keeping_in(store));
  app.use_memory_stream(input, [&](auto& pipeline) {
    pipeline.use_sink("rows", table).use_stream([](stream<sale> in, stream_context& c) -> task<> {
      auto const out = c.sink<std::string>("rows");
      auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
      auto totals = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount));
      while (auto* x = co_await totals.next()) co_await out.write(x->key);
    });
  });
  fails_with(errc::unavailable, [&] { testing::run(app.serve()); }, "the source is gone");
  CHECK(table.rows() == std::vector<std::string>{"a", "f"});
}

TEST_CASE("a key that says nothing of the partition key is told which one its records have") {
  script<sale> input("sales");
  input.partition("whole").keys([](std::string_view key) { return key.starts_with("shop "); });
  input.elements({at("a", 1'000, 1), at("f", 1'001, 2)});
  input.partition("left").follows({"whole"}).keys([](std::string_view key) { return key < "shop d"; }).element(at("a", 1'002, 4));
  input.partition("right").follows({"whole"}).keys([](std::string_view key) { return key >= "shop d"; }).element(at("f", 1'003, 8));
  auto const store = std::make_shared<memory_state_store>();
  fails_with(
      errc::misuse,
      [&] {
        run_once(input, store, [](stream<sale> in, stream_context&) -> task<> {
          auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) | key_by(&sale::key);
          auto totals = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount)).named("totals");
          while (co_await totals.next()) {}
        });
      },
      "the key \"a\"", "are not in whole", "operator totals", "partitioned_by");
  std::vector<std::string> given;  // with the same store: nothing was lost
  run_once(input.afresh(), store, [&](stream<sale> in, stream_context& c) -> task<> {
    auto timed = std::move(in) | event_time(&sale::at, bounded_disorder(3s)) |
                 key_by(&sale::key, partitioned_by([](std::string const& key) { return "shop " + key; }));
    auto totals = std::move(timed) | tumbling_window(10s, late::drop()) | aggregate(sum(&sale::amount)).named("totals");
    while (auto* x = co_await totals.next()) given.push_back(std::string(c.partition()) + " " + x->key + " " + std::to_string(x->value));
  });
  std::ranges::sort(given);
  CHECK(given == std::vector<std::string>{"left a 5", "right f 10"});
}
