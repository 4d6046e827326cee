// What windows take of memory: nothing per element, little per key, and none when they have closed.
#include <weir/operators/accumulators/count.hpp>
#include <weir/operators/aggregate.hpp>
#include <weir/operators/event_time.hpp>
#include <weir/operators/filter.hpp>
#include <weir/operators/key_by.hpp>
#include <weir/operators/late.hpp>
#include <weir/operators/sliding_window.hpp>
#include <weir/operators/tumbling_window.hpp>
#include <weir/testing/run.hpp>

#include "operators/counted_memory.hpp"
#include "support/catch.hpp"
#include "support/sanitizer.hpp"
#include "support/skip.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;

namespace {

using test::allocations;
using test::bytes_in_use;
bool cannot_count() { return test::thread_sanitizer && test::skip("ThreadSanitizer has its own operator new"); }

struct reading {
  int key;
  instant time;
};

// `n` elements of `keys` keys, `per_window` of them in 10 ns; when all have been taken it calls `done`, and stops.
stream<reading> readings(int n, int keys, int per_window, std::function<void()> done) {
  std::vector<reading> block(256);
  for (int i = 0; i < n;) {
    int filled = 0;
    for (; filled != 256 && i != n; ++filled, ++i) block[static_cast<std::size_t>(filled)] = {i % keys, i / per_window * 10 + i % 10};
    co_yield std::span<reading>(block.data(), static_cast<std::size_t>(filled));
  }
  done();
  co_yield mark::stop();
}

template <class Windows> auto counting(stream<reading> s, Windows windows) {
  return std::move(s) | event_time(&reading::time, bounded_disorder(20ns)) | key_by(&reading::key) | std::move(windows) |
         aggregate(count());
}
template <class Windows> task<long> allocations_of(int elements, Windows windows) {
  long first = 0;
  auto results = counting(readings(elements, 100, 1000, [] {}), std::move(windows));
  while (co_await results.next())
    if (first == 0) first = allocations;
  co_return allocations - first;
}

// The memory of one window of `keys` keys: what is kept, and the most there was on the way.
struct footprint {
  double kept, most;
};
footprint footprint_per_key(int keys) {
  long before = 0;
  footprint out{};
  auto source = readings(keys, keys, keys, [&] {
    out.kept = static_cast<double>(test::bytes_in_use - before) / keys;
    out.most = static_cast<double>(test::most_bytes_in_use - before) / keys;
  });
  auto body = [&](stream<reading> s) -> task<> {
    auto results = counting(std::move(s), tumbling_window(10ns, late::drop()));
    before = test::most_bytes_in_use = test::bytes_in_use;
    while (co_await results.next()) continue;
  };
  testing::run(body(std::move(source)));
  return out;
}

}  // namespace

TEST_CASE("windows allocate nothing per element, nor per window once there have been a few") {
  if (cannot_count()) return;
  auto const check = [](auto windows) {
    long const few = testing::run(allocations_of(100'000, windows())), many = testing::run(allocations_of(1'000'000, windows()));
    CHECK(few < 100);
    CHECK(many == few);
  };
  check([] { return tumbling_window(10ns, late::drop()); });
  check([] { return tumbling_window(10ns, late::update(10ns)); });
  check([] { return tumbling_window(10ns, late::drop(), emit::on_each()); });
  check([] { return sliding_window(20ns, 10ns, late::drop()); });
}

TEST_CASE("the state of one key's count in an open window takes at most 64 bytes, also while it grows") {
  if (cannot_count()) return;
  for (int const keys : {1'000'000, 1 << 20, (1 << 20) + 1, 1'900'000}) {
    footprint const f = footprint_per_key(keys);
    CAPTURE(keys, f.kept, f.most);
    CHECK(f.kept > 16);  // key and count themselves
    CHECK(f.kept <= 64);
    CHECK(f.most <= 64);
  }
}

TEST_CASE("keys that do not fit into the processor's caches are looked up ahead, to the same result") {
  constexpr int keys = 30'000, elements = 100'000;
  auto body = []() -> task<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> counts(keys);
    auto results = counting(readings(elements, keys, elements, [] {}), tumbling_window(10ns, late::drop(), emit::on_each()));
    while (auto* r = co_await results.next()) counts[static_cast<std::size_t>(r->key)] = r->value;
    co_return counts;
  };
  auto const counts = testing::run(body());
  for (std::uint64_t k = 0; k != keys; ++k) REQUIRE(counts[k] == elements / keys + (k < elements % keys));
}

TEST_CASE("the memory of many open windows is given back when they close, but for two of them") {
  if (cannot_count()) return;
  long before = 0, open = 0, closed = 0;
  // A thousand windows of a hundred keys stay open, as the disorder may be so large; then time goes far beyond.
  auto source = [&]() -> stream<reading> {
    before = bytes_in_use;
    std::vector<reading> block(100);
    for (int w = 0; w != 1000; ++w) {
      for (int k = 0; k != 100; ++k) block[static_cast<std::size_t>(k)] = {k, 10 * w};
      co_yield std::span<reading>(block);
    }
    open = bytes_in_use;
    block.assign(1, {0, 1'000'000});
    co_yield std::span<reading>(block);
    closed = bytes_in_use;
  };
  auto body = [&]() -> task<int> {
    auto results = source() | event_time(&reading::time, bounded_disorder(20us)) | key_by(&reading::key) |
                   tumbling_window(10ns, late::drop()) | aggregate(count()) | filter([](auto const&) { return false; });
    int n = 0;
    while (co_await results.next()) ++n;
    co_return n;
  };
  CHECK(testing::run(body()) == 0);
  CHECK(open - before > 1000 * 100 * 16);
  CHECK(closed - before < (open - before) / 100);
}
