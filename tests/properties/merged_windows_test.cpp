// Windows behind a merge against a batch computation, for inputs with random gaps, disorder and quiet times.
#include <weir/operators/accumulators/sum.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/heartbeat.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/merge.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/sleep.hpp>
#include <weir/testing/run.hpp>
#include <weir/testing/script.hpp>

#include "properties/dice.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using test::dice;
using testing::script;

namespace {

constexpr std::uint64_t seeds = 300;
constexpr instant start = 1'704'067'200'000'000'000, second = 1'000'000'000;  // of the virtual clock
constexpr auto bound = 5s, size = 60s;

struct reading {
  reading(int i, int k, instant t, std::int64_t v) : input(i), key(k), time(t), value(v) {}
  int input, key;
  instant time;
  std::int64_t value;
};
using sums = std::map<std::pair<instant, int>, std::int64_t>;  // window, key

sums batch_of(std::vector<reading> const& all) {
  sums out;
  for (reading const& r : all) out[{r.time - r.time % (size / 1ns), r.key}] += r.value;
  return out;
}

// What inputs will do, and everything they give.
struct scene {
  std::vector<script<reading>> inputs;
  std::vector<reading> all;
  std::set<int> was_idle;  // for ten seconds or more
  bool speak = true;       // they say that they are quiet; else a heartbeat has to
};
enum class times_are { by_the_clock, of_their_own };
scene draw(dice& d, times_are kind, int longest_gap) {
  scene s;
  s.speak = d.upto(1) == 0;
  for (int i = 0, n = 1 + d.upto(4); i != n; ++i) {
    script<reading> in;
    in.partition("0");
    instant now = start, event = start + d.upto(30) * second;
    for (int chunks = d.upto(30); chunks != 0; --chunks) {
      std::chrono::milliseconds const gap(d.upto(4) == 0 ? d.upto(longest_gap * 1000) : d.upto(1500));
      if (d.upto(1) == 0 && s.speak) in.quiet(gap);
      else in.wait(gap);
      now += std::chrono::nanoseconds(gap).count();
      if (gap >= 10s) s.was_idle.insert(i);
      std::vector<reading> given;
      for (int k = d.upto(3); k >= 0; --k) {
        event += d.upto(4000) * (second / 1000);
        instant const at = (kind == times_are::by_the_clock ? now : event) - d.upto(5000) * (second / 1000);
        given.emplace_back(i, d.upto(2), at, 1 + d.upto(99));
      }
      s.all.insert(s.all.end(), given.begin(), given.end());
      in.elements(std::move(given));
    }
    s.inputs.push_back(std::move(in));
  }
  return s;
}

struct seen {
  sums fired;
  std::vector<reading> late;
  bool twice = false, in_order = true;
};
task<seen> run(scene const* s, std::chrono::nanoseconds idle_after, quiet_time q, std::chrono::milliseconds busy) {
  seen out;
  std::vector<timed_stream<reading>> timed;
  for (script<reading> const& in : s->inputs) {
    auto rules = event_time(&reading::time, bounded_disorder(bound)).idle_after(idle_after).when_quiet(q);
    if (s->speak) timed.push_back(in.play() | std::move(rules));
    else timed.push_back(in.play() | heartbeat(700ms) | std::move(rules));
  }
  auto note_late = [&out](reading& r) { out.late.push_back(r); };
  auto value_of = [](reading const& r) { return r.value; };
  auto windows =
      merge(std::move(timed)) | key_by(&reading::key) | tumbling_window(size, late::side_output(note_late)) | aggregate(sum(value_of));
  instant last = start_of_time;
  while (auto const* const r = co_await windows.next()) {
    out.twice = !out.fired.emplace(std::pair(r->window.start, r->key), r->value).second || out.twice;
    out.in_order = out.in_order && r->window.start >= last;
    last = r->window.start;
    if (busy.count() != 0) co_await sleep_for(busy);
  }
  co_return out;
}

}  // namespace

TEST_CASE("live inputs, whose times are the clock's: windows behind a merge are the batch's, whoever is idle when", "[properties][merge]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    scene const s = draw(d, times_are::by_the_clock, 90);
    seen const got = testing::run(run(&s, 10s, d.upto(1) == 0 ? quiet_time::passes : quiet_time::stands, 0ms), seed);
    CHECK(got.late.empty());
    CHECK_FALSE(got.twice);
    CHECK(got.in_order);
    CHECK(got.fired == batch_of(s.all));
  }
}

TEST_CASE("inputs with times of their own, none idle: windows behind a merge are the batch's, however busy the consumer",
          "[properties][merge]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    scene const s = draw(d, times_are::of_their_own, 200);
    seen const got = testing::run(run(&s, 24h, quiet_time::stands, std::chrono::milliseconds(d.upto(3) * d.upto(20'000))), seed);
    CHECK(got.late.empty());
    CHECK_FALSE(got.twice);
    CHECK(got.in_order);
    CHECK(got.fired == batch_of(s.all));
  }
}

TEST_CASE("inputs with times of their own, some idle: only what these give later can be late, and the rest is as in the batch",
          "[properties][merge]") {
  std::size_t late = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    dice d(seed);
    scene const s = draw(d, times_are::of_their_own, 60);
    seen const got = testing::run(run(&s, 10s, quiet_time::stands, std::chrono::milliseconds(d.upto(3) * d.upto(20'000))), seed);
    std::set<int> from;
    sums expected = batch_of(s.all);
    for (reading const& r : got.late) {
      from.insert(r.input);
      auto const it = expected.find({r.time - r.time % (size / 1ns), r.key});
      REQUIRE(it != expected.end());
      it->second -= r.value;
    }
    std::erase_if(expected, [](auto const& entry) { return entry.second == 0; });
    for (int const i : from) CHECK(s.was_idle.count(i) == 1);
    CHECK_FALSE(got.twice);
    CHECK(got.fired == expected);
    late += got.late.size();
  }
  CHECK(late > 0);  // it does happen
}
