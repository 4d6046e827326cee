// Whatever a handler is made of, exactly the records that fail become dead letters, and its results are those of an input without them.
#include <weir/failure_policy.hpp>

#include <weir/application.hpp>
#include <weir/memory/use_memory_stream.hpp>
#include <weir/memory_state_store.hpp>
#include <weir/memory_table.hpp>
#include <weir/named_sink.hpp>
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/batch.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/flat_map.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/map.hpp>
#include <weir/operators/map_concurrent.hpp>
#include <weir/operators/partition_by.hpp>
#include <weir/operators/prefetch.hpp>
#include <weir/operators/scan.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/operators/window.hpp>
#include <weir/operators/write_to.hpp>
#include <weir/sleep.hpp>
#include <weir/stream_context.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using testing::script;

namespace {

using numbers = std::vector<int>;
using texts = std::vector<std::string>;
using handler = std::function<task<>(stream<int>, named_sink<int>)>;

constexpr int last = 40;
std::set<int> poison;  // of the test under way

int checked(int x) {
  if (poison.contains(x)) throw std::runtime_error("poisoned");
  return x;
}
task<int> looked_up(int x) {
  co_await sleep_for(std::chrono::milliseconds(x * 7 % 5));
  co_return checked(x);
}
stream<int> generated(stream<int> s) {
  while (int* x = co_await s.next()) co_yield checked(*x) * 10;
}
int sum_of(numbers const& xs) {
  int sum = 0;
  for (int x : xs) sum += checked(x);
  return sum;
}

struct outcome {
  numbers results;
  texts dead;
};

outcome run(handler const& h, numbers const& input, std::uint64_t seed) {
  auto const store = std::make_shared<memory_state_store>();
  memory_table<int> const results(store);
  memory_table<dead_letter> const letters(store);
  std::mt19937_64 random(seed);
  script<int> from;
  for (std::size_t i = 0; i != input.size();) {
    auto const n = std::min<std::size_t>(input.size() - i, 1 + random() % 12);
    from.elements(numbers(input.begin() + static_cast<std::ptrdiff_t>(i), input.begin() + static_cast<std::ptrdiff_t>(i + n)));
    i += n;
  }
  settings s;
  s.checkpoints = store;
  s.commit = {.records = 1 + random() % 30, .every = 1h};
  s.log = logger(log_level::error, [](log_level, std::string_view) {});
  application app(std::move(s));
  app.use_memory_stream(from, [&](auto& pipeline) {
    pipeline.on_failure(failure_policy().dead_letter_to(letters)).use_sink("out", results);
    pipeline.use_stream([&](stream<int> in, stream_context& context) { return h(std::move(in), context.sink<int>("out")); });
  });
  testing::run(app.serve(), seed);
  outcome out;
  out.results = results.rows();
  for (dead_letter const& l : letters.rows()) out.dead.push_back(l.payload);
  return out;
}

void check_shape(handler const& h) {
  std::mt19937_64 random(7);
  for (std::uint64_t seed = 1; seed != 13; ++seed) {
    numbers all, good;
    texts bad;
    poison.clear();
    for (int i = 1; i <= last; ++i) {
      all.push_back(i);
      if (random() % 40 < seed) {
        poison.insert(i);
        bad.push_back(std::to_string(i));
      } else {
        good.push_back(i);
      }
    }
    INFO("seed " << seed);
    outcome const calm = run(h, good, seed), got = run(h, all, seed);
    CHECK(calm.dead.empty());
    CHECK(got.dead == bad);
    CHECK(got.results == calm.results);
  }
}

}  // namespace

TEST_CASE("failures: stages without state", "[properties][failures]") {
  check_shape([](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | map([](int x) { return checked(x) * 10; }) | write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: windows by event time and key", "[properties][failures]") {
  check_shape([](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | map(checked) | event_time([](int x) { return instant(x); }, monotonic()) |
               key_by([](int x) { return x % 3; }) | tumbling_window(10ns, late::drop()) | aggregate(count()) |
               map([](auto const& r) { return static_cast<int>(r.window.start) * 100 + r.key * 10 + static_cast<int>(r.value); }) |
               write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: a sum over all, with the failure behind it", "[properties][failures]") {
  check_shape([](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | scan(std::pair(0, 0), [](std::pair<int, int>& sum, int x) { sum = std::pair(sum.first + x, x); }) |
               map([](std::pair<int, int> const& sum) {
                 (void)checked(sum.second);
                 return sum.first;
               }) |
               write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: many in work at once", "[properties][failures]") {
  check_shape([](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | map_concurrent(4, looked_up) | write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: a generator of the user's, and elements that were fetched ahead", "[properties][failures]") {
  check_shape([](stream<int> s, named_sink<int> out) -> task<> {
    stream<int> mine = generated(std::move(s));
    auto all = std::move(mine) | prefetch(8) | write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: batches and windows of a count are closed, so that a record is alone in them", "[properties][failures]") {
  auto const flat = [](numbers& xs) {
    (void)sum_of(xs);
    return numbers(xs);
  };
  check_shape([flat](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | batch(4) | flat_map(flat) | write_to(out);
    co_await all;
  });
  check_shape([flat](stream<int> s, named_sink<int> out) -> task<> {
    stream<int> all = std::move(s) | window(5) | flat_map(flat);
    while (int* const x = co_await all.next()) co_await out.write(*x);
  });
  check_shape([flat](stream<int> s, named_sink<int> out) -> task<> {
    auto all = std::move(s) | batch(batch_options().count(3).time(1s)) | flat_map(flat) | write_to(out);
    co_await all;
  });
}

TEST_CASE("failures: where records are kept back to the end of the data, none is blamed", "[properties][failures]") {
  poison = {3};
  numbers all;
  for (int i = 1; i <= last; ++i) all.push_back(i);
  auto const grouped = [](stream<int> s, named_sink<int> out) -> task<> {
    auto sums =
        std::move(s) | partition_by([](int x) { return x % 3; }) | map([](auto const& g) { return sum_of(g.values); }) | write_to(out);
    co_await sums;
  };
  CHECK_THROWS_WITH(run(grouped, all, 1), "poisoned");
}
