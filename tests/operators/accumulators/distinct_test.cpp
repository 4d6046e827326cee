#include <weir/operators/accumulators/distinct.hpp>

#include "operators/accumulators/sketch_checks.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>

using namespace weir;
using namespace weir::test;

namespace {

struct visit {
  std::string client;
  int path;
};

std::vector<std::string> texts(std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i != n; ++i) out.push_back("client-" + std::to_string(i));
  return out;
}
std::vector<std::uint64_t> numbers(std::size_t n, std::uint64_t first = 0) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i != n; ++i) out.push_back(first + i);
  return out;
}

}  // namespace

TEST_CASE("distinct counts what the projection says, or the elements themselves, however often they come") {
  std::vector<visit> const visits{{"a", 1}, {"b", 1}, {"a", 1}, {"a", 2}, {"b", 2}, {"c", 2}, {"c", 2}};
  CHECK(result_of(distinct(&visit::client), visits) == 3);
  CHECK(result_of(distinct(&visit::path), visits) == 2);
  CHECK(result_of(distinct([](visit const& v) { return std::tie(v.client, v.path); }), visits) == 5);
  CHECK(result_of(distinct([](visit const& v) { return std::string_view(v.client); }), visits) == 3);
  CHECK(result_of(distinct(), std::vector<double>{0.0, -0.0, 1, 1, std::nan(""), -std::nan("")}) == 3);
  CHECK(result_of(distinct(), std::vector<int>{}) == 0);
  CHECK(result_of(distinct(), std::vector<std::chrono::seconds>(5)) == 1);
  static_assert(!accumulator<distinct<>, visit> && !accumulator<distinct<>, int*> && !accumulator<distinct<int visit::*>, int>);
}

TEST_CASE("distinct keeps for each register the largest rank of its hashes") {
  for (unsigned const precision : {4u, 9u, 14u, 18u}) {
    auto const xs = numbers(60'000, 1'000'000);
    std::vector<std::byte> expected{static_cast<std::byte>(precision), std::byte(1)};
    expected.resize(2 + (std::size_t(1) << precision));
    for (std::uint64_t const x : xs) {
      std::uint64_t const hash = detail::splitmix64(x);
      std::size_t place = 0;
      for (unsigned bit = 0; bit != precision; ++bit) place = 2 * place + (hash >> (63 - bit) & 1);
      int rank = 1;
      for (unsigned bit = precision; bit != 64 && (hash >> (63 - bit) & 1) == 0; ++bit) ++rank;
      expected[2 + place] = std::max(expected[2 + place], static_cast<std::byte>(rank));
    }
    CHECK(bytes_of(state_of(distinct(std::identity(), {.precision = precision}), in_turn(xs))) == expected);
  }
}

TEST_CASE("distinct takes hashes that are all zeros or all ones") {
  for (unsigned const precision : {4u, 14u, 18u})
    for (std::uint64_t const hash : {std::uint64_t(0), ~std::uint64_t(0)}) {
      detail::hyperloglog s;
      s.add(hash, precision);
      CHECK(detail::rounded_estimate(s) == 1);
      for (std::uint64_t i = 0; i != 100'000; ++i) s.add(detail::splitmix64(i), precision);
      auto with = bytes_of(s);
      s.add(hash, precision);
      CHECK(bytes_of(s) == with);
      CHECK(std::to_integer<unsigned>(hash == 0 ? with[2] : with.back()) >= (hash == 0 ? 64 - precision + 1 : 1));
    }
}

TEST_CASE("of hashes that begin alike, the one with the largest rank counts") {
  std::uint64_t const same = 0xabcd'ef01'2345'6789 & ~std::uint64_t(0) << 38;
  std::vector<std::byte> expected;
  for (std::uint64_t seed = 0; seed != 20; ++seed) {
    std::vector<std::uint64_t> hashes{same | 1ull << 37, same | 1ull << 20, same | 1, same};
    std::ranges::shuffle(hashes, std::mt19937_64(seed));
    detail::hyperloglog s;
    for (std::uint64_t const hash : hashes) s.add(hash, 14);
    CHECK_FALSE(s.has_registers());
    CHECK(detail::rounded_estimate(s) == 1);
    if (expected.empty()) expected = bytes_of(s);
    CHECK(bytes_of(s) == expected);
    for (std::uint64_t i = 0; i != 4'000; ++i) s.add(detail::splitmix64(i) >> 1, 14);  // of others
    CHECK(bytes_of(s)[2 + (same >> 50)] == std::byte(std::countl_zero(same << 14) + 1));
  }
}

TEST_CASE("distinct merges bit for bit as if all had been added to one, with registers or without") {
  for (unsigned const precision : {4u, 6u, 10u, 14u})
    for (auto const n : {3u, 12u, 13u, 200u, 700u, 3'072u, 3'073u}) {
      CAPTURE(precision, n);
      auto xs = texts(n);
      for (std::size_t i = 0; i < n; i += 3) xs.push_back(xs[i]);
      check_merging(giving_bytes(distinct(std::identity(), {.precision = precision})), in_turn(xs), merging::in_any_order);
    }
}

TEST_CASE("distinct goes on after a restart as if there had been none") {
  for (auto const n : {1u, 10u, 400u, 5'000u})
    for (unsigned const precision : {4u, 11u, 14u}) {
      CAPTURE(n, precision);
      check_checkpoint(giving_bytes(distinct(std::identity(), {.precision = precision})), in_turn(numbers(n)));
    }
}

TEST_CASE("damaged bytes of a distinct's state are refused, or do no harm") {
  for (unsigned const precision : {4u, 10u})
    for (auto const n : {1u, 5u, 100u, 10'000u}) {
      CAPTURE(precision, n);
      distinct<> const a(std::identity(), {.precision = precision});
      auto const intact = state_of(a, in_turn(numbers(n)));
      check_damage(intact, 1000, [&](auto& s) {
        (void)a.result(s);
        for (std::uint64_t i = 0; i != 1'000; ++i) a.add(s, i, 0);
        a.merge(s, intact);
        (void)a.result(s);
        (void)bytes_of(s);
        CHECK(s.heap_bytes() <= std::size_t(1) << 18);
      });
    }
}

TEST_CASE("bytes that distinct does not make are refused") {
  auto const refused = [](std::vector<std::byte> bytes, std::string_view why) {
    fails_with(errc::corrupt, [&] { (void)decode_state<detail::hyperloglog>(bytes); }, why);
  };
  auto const coupons = [](std::vector<std::uint32_t> const& values) {
    std::vector<std::byte> bytes{std::byte(4), std::byte(0)};
    encode_state(values, bytes);
    return bytes;
  };
  std::uint32_t const place = 1u << 6;
  CHECK(distinct().result(decode_state<detail::hyperloglog>(coupons({1, place + 39, 2 * place + 3}))) == 3);
  refused(coupons({}), "so many");
  refused(coupons({1, place + 1, 2 * place + 1, 3 * place + 1}), "so many");
  refused(coupons({place + 1, 1}), "a coupon");
  refused(coupons({place + 1, place + 2}), "a coupon");
  refused(coupons({place}), "a coupon");
  refused(coupons({place + 40}), "a coupon");
  refused({std::byte(3), std::byte(0)}, "precision");
  refused({std::byte(19), std::byte(1)}, "precision");
  refused({std::byte(4), std::byte(2)}, "neither 0 nor 1");
  std::vector<std::byte> registers(2 + 16, std::byte(1));
  registers[0] = std::byte(4);
  CHECK(distinct().result(decode_state<detail::hyperloglog>(registers)) > 0);
  registers[9] = std::byte(62);
  refused(registers, "a register");
}

TEST_CASE("distinct refuses a precision that cannot be, and to go on from a state of another one") {
  for (unsigned const p : {0u, 3u, 19u, 64u})
    fails_with(errc::invalid_option, [&] { distinct<>(std::identity(), {.precision = p}); }, "4 to 18");
  for (auto const n : {1u, 10'000u}) {
    auto const s = state_of(distinct(), in_turn(numbers(n)));
    distinct<> const other(std::identity(), {.precision = 12});
    auto restored = decode_state<detail::hyperloglog>(bytes_of(s));
    fails_with(errc::incompatible, [&] { other.add(restored, 1, 0); }, "another precision");
    auto t = state_of(other, in_turn(numbers(n)));
    fails_with(errc::incompatible, [&] { other.merge(t, s); });
  }
}

TEST_CASE("distinct values cost little while they are few, and never more than the registers") {
  static_assert(sizeof(detail::hyperloglog) <= 64);
  CHECK(state_of(distinct(), in_turn(numbers(3))).heap_bytes() <= 16);
  for (auto const n : {4u, 10u, 100u, 1'000u, 3'072u}) {
    CAPTURE(n);
    CHECK(state_of(distinct(), in_turn(numbers(n))).heap_bytes() <= std::max<std::size_t>(16, 4 * n * 8 / 3));
  }
  for (auto const n : {3'072u, 3'073u, 100'000u}) CHECK(state_of(distinct(), in_turn(numbers(n))).heap_bytes() <= 16'384);
}
