#include "tick_load.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

// splitmix64 (Steele, Lea, Flood, 2014).
class random_numbers {
public:
  std::uint64_t operator()() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state_ = 42;
};

std::vector<double> zipf(std::size_t keys) {
  std::vector<double> up_to(keys);
  double sum = 0;
  for (std::size_t i = 0; i < keys; ++i) up_to[i] = sum += 1.0 / static_cast<double>(i + 1);
  for (double& p : up_to) p /= sum;
  return up_to;
}

std::vector<tick> make(std::size_t n) {
  constexpr std::size_t symbols = 1'000;
  constexpr std::int64_t start = 1'700'000'040'000 / 60'000 * 60'000, span = 3'600'000, disorder = 5'000;
  auto const up_to = zipf(symbols);
  std::vector<std::int64_t> cents(symbols, 10'000);
  std::vector<tick> all;
  all.reserve(n);
  random_numbers random;
  for (std::size_t i = 0; i < n; ++i) {
    double const u = static_cast<double>(random() >> 11) * 0x1p-53;
    auto const symbol = static_cast<std::size_t>(std::lower_bound(up_to.begin(), up_to.end(), u) - up_to.begin());
    std::uint64_t const moves = random();
    std::int64_t& price = cents[std::min(symbol, symbols - 1)];
    price = std::max<std::int64_t>(100, price + static_cast<std::int64_t>(moves % 11) - 5);
    std::int64_t const now = start + static_cast<std::int64_t>(i * static_cast<std::uint64_t>(span) / n);
    std::uint64_t const delay = random();
    std::int64_t const behind = delay % 1'000 == 0 ? 60'000 + static_cast<std::int64_t>((delay >> 20) % 120'000)
                                                   : static_cast<std::int64_t>((delay >> 20) % (disorder + 1));
    all.push_back({static_cast<std::uint32_t>(std::min(symbol, symbols - 1)), static_cast<std::int32_t>((moves >> 20) % 1'000 + 1),
                   static_cast<double>(price) * 0.01, std::max(start, now - behind)});
  }
  return all;
}

}  // namespace

std::vector<tick>& ticks(std::size_t n) {
  static std::vector<tick> all;
  if (all.size() != n) all = make(n);
  return all;
}

bool bar_checksum::right() const noexcept {
  return bars == 60'000 && trades == 19'980'379 && late == 19'621 && volume == 9'998'700'278 && std::abs(prices - 24'014'223.37) < 0.01;
}

}  // namespace bench
