#include "generator.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace ticks {
namespace {

constexpr std::array<std::string_view, 40> trees{"ALDER",  "ASPEN", "BEECH",   "BIRCH",  "CEDAR",   "CHERRY", "CYPRESS", "ELDER",
                                                 "ELM",    "FIR",   "GINKGO",  "HAZEL",  "HEMLOCK", "HOLLY",  "IRONWD",  "JUNIPER",
                                                 "KAPOK",  "LARCH", "LAUREL",  "LINDEN", "MAHOG",   "MANGO",  "MAPLE",   "MYRTLE",
                                                 "OAK",    "OLIVE", "PALM",    "PEAR",   "PINE",    "PLANE",  "PLUM",    "POPLAR",
                                                 "QUINCE", "ROWAN", "SEQUOIA", "SPRUCE", "TEAK",    "TULIP",  "WALNUT",  "WILLOW"};

constexpr unsigned fraction_bits = 20;
constexpr std::int64_t lowest_cents = 100;
constexpr std::int64_t highest_cents = 100'000'000'000;

// -ln(1 - u) at u = (i + 0.5) / 4096, with 20 binary digits: gaps of mean 1. The last slot means "at least ln(4096)": draw again on top.
std::array<std::uint32_t, 4096> const& exponential() {
  static std::array<std::uint32_t, 4096> const table = [] {
    std::array<std::uint32_t, 4096> t{};
    for (std::size_t i = 0; i != t.size(); ++i)
      t[i] = static_cast<std::uint32_t>(std::lround(-std::log1p(-(static_cast<double>(i) + 0.5) / 4096.0) * (1U << fraction_bits)));
    return t;
  }();
  return table;
}
constexpr std::uint32_t log_4096 = 8'721'718;  // ln(4096) * 2^20

std::uint64_t split_mix(std::uint64_t& state) noexcept {  // SplitMix64 (Steele, Lea, Flood 2014): spreads the seed
  std::uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

void check(bool good, char const* what) {
  if (!good) throw std::invalid_argument(what);
}

}  // namespace

std::string market::identity() const { return fmt::format("market(symbols={},rate={},seed={},start={})", symbols, rate, seed, start); }

generator::generator(market m) : market_(m), time_(m.start) {
  check(m.symbols >= 1 && m.symbols <= 100'000, "the number of symbols must be 1 to 100000");
  check(m.rate >= 1 && m.rate <= 1'000'000'000, "the rate must be 1 to 1000000000 trades per second");
  std::uint64_t state = m.seed;
  for (auto& word : random_) word = split_mix(state);
  mean_gap_ = (1'000'000'000ULL << fraction_bits) / m.rate;
  list_instruments();
}

void generator::list_instruments() {
  std::size_t const n = market_.symbols;
  symbols_.reserve(n);
  for (std::size_t i = 0; i != n; ++i) {
    auto const name = i < trees.size() ? std::string(trees[i]) : fmt::format("{}{}", trees[i % trees.size()], i / trees.size() + 1);
    symbols_.push_back(symbol::from(name).value());
  }
  // Alias table: columns of equal width, each shared by at most two symbols.
  double total = 0;
  for (std::size_t i = 0; i != n; ++i) total += 1.0 / static_cast<double>(i + 1);
  std::vector<double> share(n);
  std::vector<std::uint32_t> small, large;
  for (std::size_t i = 0; i != n; ++i) {
    share[i] = static_cast<double>(n) / static_cast<double>(i + 1) / total;
    (share[i] < 1.0 ? small : large).push_back(static_cast<std::uint32_t>(i));
  }
  instruments_.resize(n);
  for (std::size_t i = 0; i != n; ++i) {
    instruments_[i].keep = UINT32_MAX;
    instruments_[i].other = static_cast<std::uint32_t>(i);
    instruments_[i].cents = static_cast<std::int64_t>(500 + draw() % 49'500);
  }
  while (!small.empty() && !large.empty()) {
    auto const low = small.back();
    auto const high = large.back();
    small.pop_back();
    instruments_[low].keep = static_cast<std::uint32_t>(share[low] * 4294967295.0);
    instruments_[low].other = high;
    share[high] -= 1.0 - share[low];
    if (share[high] < 1.0) {
      large.pop_back();
      small.push_back(high);
    }
  }
}

// xoshiro256** (Blackman, Vigna 2018).
std::uint64_t generator::draw() noexcept {
  std::uint64_t const result = std::rotl(random_[1] * 5, 7) * 9;
  std::uint64_t const t = random_[1] << 17;
  random_[2] ^= random_[0];
  random_[3] ^= random_[1];
  random_[1] ^= random_[2];
  random_[0] ^= random_[3];
  random_[2] ^= t;
  random_[3] = std::rotl(random_[3], 45);
  return result;
}

std::uint32_t generator::pick(std::uint32_t random) const noexcept {
  std::uint64_t const scaled = static_cast<std::uint64_t>(random) * instruments_.size();
  auto const column = static_cast<std::uint32_t>(scaled >> 32);
  instrument const& i = instruments_[column];
  return static_cast<std::uint32_t>(scaled) <= i.keep ? column : i.other;
}

// A burst (a fifth of the mean gap) or a pause (nine fifths), half the trades each: the mean stays.
std::int64_t generator::gap(std::uint32_t random) noexcept {
  auto const& table = exponential();
  std::uint64_t units = 0;
  std::uint32_t slot = random >> 20;
  while (slot == table.size() - 1) [[unlikely]] {
    units += log_4096;
    slot = static_cast<std::uint32_t>(draw() >> 52);
  }
  units += table[slot];
  units *= (random & 1U) != 0 ? 9 : 1;
  std::uint64_t const length = (mean_gap_ >> 10) * units / 5 + fraction_;  // 30 binary digits
  constexpr unsigned digits = 2 * fraction_bits - 10;
  fraction_ = length & ((1ULL << digits) - 1);
  return static_cast<std::int64_t>(length >> digits);
}

made_trade generator::next() noexcept {
  std::uint64_t const first = draw();
  std::uint64_t const second = draw();
  time_ += gap(static_cast<std::uint32_t>(first));
  auto const index = pick(static_cast<std::uint32_t>(first >> 32));
  instrument& i = instruments_[index];

  // The step: the difference of two 8-bit numbers, in units of 1/2^20 of the price: a standard deviation near 1/100 of a percent.
  auto const noise = static_cast<std::int64_t>(second & 0xff) - static_cast<std::int64_t>((second >> 8) & 0xff);
  auto const rounding = static_cast<std::int64_t>((second >> 16) & 0xfffff);  // else small prices would never move
  i.cents += (i.cents * noise + rounding) >> 20;
  if (i.cents < lowest_cents) i.cents = 2 * lowest_cents - i.cents;
  if (i.cents > highest_cents) i.cents = 2 * highest_cents - i.cents;

  auto const tail = static_cast<unsigned>(std::countr_zero((second >> 36 & 0xfff) | 0x1000));
  auto const units = static_cast<std::int64_t>((1 + (second >> 48 & 0xfff)) << tail);

  ++made_;
  made_trade trade;
  trade.symbol_index = index;
  trade.trade_id = ++i.trades;
  trade.price = decimal(i.cents, 2);
  trade.size = decimal(units, 5);
  trade.time = time_ - time_ % 1'000'000;
  return trade;
}

void generator::skip(std::uint64_t count) noexcept {
  for (std::uint64_t i = 0; i != count; ++i) next();
}

}  // namespace ticks
