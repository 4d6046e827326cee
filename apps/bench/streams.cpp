// What crossing the framework costs, beside a hand-written loop and std::ranges.
#include "reference.hpp"

#include <weir/asio.hpp>
#include <weir/spawn.hpp>
#include <weir/testing/run.hpp>
#include <weir/weir.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <ranges>
#include <vector>

namespace {

using namespace weir;
using number = std::int64_t;
constexpr number elements = 1'000'000;

stream<number> one_by_one(number n) {
  for (number i = 0; i < n; ++i) co_yield number(i);
}
stream<number> in_chunks(number n, std::size_t size) {
  std::vector<number> buffer(size);
  for (number i = 0; i < n;) {
    auto const k = std::min<std::size_t>(size, static_cast<std::size_t>(n - i));
    for (std::size_t j = 0; j < k; ++j) buffer[j] = i + static_cast<number>(j);
    i += static_cast<number>(k);
    co_yield std::span<number>(buffer.data(), k);
  }
}
auto three(stream<number> s) { return std::move(s) | map(bench::first) | filter(bench::second) | map(bench::third); }
auto five(stream<number> s) { return three(std::move(s)) | map(bench::fourth) | filter(bench::fifth); }

template <class Stream> task<number> pull(Stream s) {
  number sum = 0;
  while (number* x = co_await s.next()) sum += *x;
  co_return sum;
}
template <class Stream> task<number> push(Stream s) {
  number sum = 0;
  auto all = std::move(s) | for_each([&sum](number x) { sum += x; });
  co_await all;
  co_return sum;
}
template <class Make> void run(benchmark::State& state, Make make) {
  for (auto _ : state) benchmark::DoNotOptimize(testing::run(make()));
  bench::per_element(state, elements);
}

void loop_3(benchmark::State& state) {
  for (auto _ : state) {
    number sum = 0;
    for (number i = 0; i < elements; ++i) {
      number x = i;
      benchmark::DoNotOptimize(x);  // an element that comes from somewhere, as a stream's does
      x = bench::first(x);
      if (bench::second(x)) sum += bench::third(x);
    }
    benchmark::DoNotOptimize(sum);
  }
  bench::per_element(state, elements);
}
void ranges_3(benchmark::State& state) {
  for (auto _ : state) {
    number sum = 0;
    auto source = std::views::iota(number(0), elements) | std::views::transform([](number x) {
                    benchmark::DoNotOptimize(x);
                    return x;
                  });
    for (number x : source | std::views::transform(bench::first) | std::views::filter(bench::second) | std::views::transform(bench::third))
      sum += x;
    benchmark::DoNotOptimize(sum);
  }
  bench::per_element(state, elements);
}

task<number> call(number x) { co_return x; }
task<number> calls(number n) {
  number sum = 0;
  for (number i = 0; i < n; ++i) sum += co_await call(i);
  co_return sum;
}
task<> completions(number n) {
  for (number i = 0; i < n; ++i) co_await boost::asio::post(use);
}

BENCHMARK(loop_3)->Name("plain loop, 3 steps");
BENCHMARK(ranges_3)->Name("std::ranges, 3 steps");
BENCHMARK_CAPTURE(run, chunk_3_push, [] { return push(three(in_chunks(elements, 256))); })->Name("chunks of 256, 3 fused, for_each");
BENCHMARK_CAPTURE(run, chunk_5_push, [] { return push(five(in_chunks(elements, 256))); })->Name("chunks of 256, 5 fused, for_each");
BENCHMARK_CAPTURE(run, chunk_3_pull, [] { return pull(three(in_chunks(elements, 256))); })->Name("chunks of 256, 3 fused, next()");
BENCHMARK_CAPTURE(run, chunk_0_pull, [] { return pull(in_chunks(elements, 256)); })->Name("chunks of 256 through one boundary, next()");
BENCHMARK_CAPTURE(run, strict_3_push, [] { return push(three(one_by_one(elements))); })->Name("one by one, 3 fused, for_each");
BENCHMARK_CAPTURE(run, strict_3_pull, [] { return pull(three(one_by_one(elements))); })->Name("one by one, 3 fused, next()");
BENCHMARK_CAPTURE(run, strict_0_pull, [] { return pull(one_by_one(elements)); })->Name("one by one through one boundary, next()");
BENCHMARK_CAPTURE(run, task_call, [] { return calls(elements); })->Name("task call");

void asio_completion(benchmark::State& state) {
  constexpr number n = 100'000;
  for (auto _ : state) {
    boost::asio::io_context io(1);
    spawn(io, completions(n), [](std::exception_ptr const&) {});
    io.run();
  }
  bench::per_element(state, n);
}
BENCHMARK(asio_completion)->Name("Asio completion (post)");

}  // namespace
