#pragma once
#include <cstdint>
#include <random>

namespace weir::test {

/// What a property test draws; the same for one seed.
class dice {
public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  /// From 0 to `n`, both included.
  int upto(int n) { return std::uniform_int_distribution<int>(0, n)(engine_); }

private:
  std::mt19937_64 engine_;
};

}  // namespace weir::test
