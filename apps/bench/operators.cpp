// Operators that keep elements, beside the same by hand.
#include "reference.hpp"

#include <weir/from.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace weir;
using number = std::int64_t;

stream<number> numbers(number n) {
  std::vector<number> buffer(256);
  for (number i = 0; i < n;) {
    auto const k = std::min<std::size_t>(256, static_cast<std::size_t>(n - i));
    for (std::size_t j = 0; j < k; ++j) buffer[j] = i + static_cast<number>(j);
    i += static_cast<number>(k);
    co_yield std::span<number>(buffer.data(), k);
  }
}

task<number> windows(number n) {
  number sum = 0;
  auto all = numbers(n) | window(100);
  while (auto* w = co_await all.next()) sum += w->back();
  co_return sum;
}
void window_100(benchmark::State& state) {
  constexpr number n = 1'000'000;
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(windows(n)));
  bench::per_element(state, n);
}
void window_100_by_hand(benchmark::State& state) {
  constexpr number n = 1'000'000;
  for (auto _ : state) {
    number sum = 0;
    for (number i = 0; i < n; i += 100) {
      std::vector<number> w;
      w.reserve(100);
      for (number j = i; j < i + 100; ++j) w.push_back(j);
      benchmark::DoNotOptimize(w.data());
      sum += w.back();
    }
    benchmark::DoNotOptimize(sum);
  }
  bench::per_element(state, n);
}

struct record {
  std::uint64_t key;
  number value;
};
std::vector<record> batch_of(std::size_t n, std::uint64_t keys) {
  std::vector<record> all;
  std::uint64_t x = 42;
  for (std::size_t i = 0; i < n; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    all.push_back({(x >> 33) % keys, static_cast<number>(i)});
  }
  return all;
}
task<number> groups(std::vector<record> batch) {
  number sum = 0;
  auto all = from(std::move(batch)) | partition_by(&record::key);
  while (auto* g = co_await all.next()) sum += g->values.back().value;
  co_return sum;
}
void partition_by_1000_keys(benchmark::State& state) {
  auto const batch = batch_of(10'000, 1'000);
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(groups(batch)));
  bench::per_element(state, 10'000);
}
void partition_by_hand(benchmark::State& state) {
  auto const batch = batch_of(10'000, 1'000);
  for (auto _ : state) {
    boost::unordered_flat_map<std::uint64_t, std::size_t> index;
    std::vector<std::pair<std::uint64_t, std::vector<record>>> all;
    for (record const& r : batch) {
      auto const [at, fresh] = index.try_emplace(r.key, all.size());
      if (fresh) all.emplace_back(r.key, std::vector<record>());
      all[at->second].second.push_back(r);
    }
    number sum = 0;
    for (auto const& g : all) sum += g.second.back().value;
    benchmark::DoNotOptimize(sum);
  }
  bench::per_element(state, 10'000);
}

BENCHMARK(window_100_by_hand)->Name("window(100) by hand");
BENCHMARK(window_100)->Name("window(100)");
BENCHMARK(partition_by_hand)->Name("partition_by, 10,000 records, 1,000 keys, by hand");
BENCHMARK(partition_by_1000_keys)->Name("partition_by, 10,000 records, 1,000 keys");

}  // namespace
