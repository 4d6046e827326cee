#pragma once
#include <benchmark/benchmark.h>

#include <cstdint>

namespace bench {

/// The same three (or five) steps in every benchmark: x*3+1; keep 7 of 8; x^(x>>3); x+7; keep 4 of 5.
inline constexpr auto first = [](std::int64_t x) { return x * 3 + 1; };
inline constexpr auto second = [](std::int64_t x) { return (x & 7) != 0; };
inline constexpr auto third = [](std::int64_t x) { return x ^ (x >> 3); };
inline constexpr auto fourth = [](std::int64_t x) { return x + 7; };
inline constexpr auto fifth = [](std::int64_t x) { return x % 5 != 0; };

/// Reports ns per element, which is what all figures here are.
inline void per_element(benchmark::State& state, std::int64_t elements) {
  state.counters["per_element"] = benchmark::Counter(static_cast<double>(state.iterations() * elements) * 1e-9,
                                                     benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace bench
