#include <weir/operators/detail/bucket_counts.hpp>

#include "operators/accumulators/sketch_checks.hpp"

#include <algorithm>
#include <deque>

using weir::detail::bucket_counts;
using namespace weir::test;

namespace {

// The counts, and beside them all that was counted.
struct counted {
  void add(std::int32_t index, std::uint64_t n, std::size_t max_span) {
    counts.add(index, n, max_span);
    all.insert(all.end(), n, index);
  }
  void merge(counted const& other, std::size_t max_span) {
    counts.merge(other.counts, max_span);
    all.insert(all.end(), other.all.begin(), other.all.end());
  }
  // Sorted, and what is below the lowest bucket that is told apart moved up to it.
  bool holds(std::size_t max_span) const {
    auto expected = all;
    std::ranges::sort(expected);
    std::uint64_t collapsed = 0;
    for (std::int32_t& i : expected) {
      std::int32_t const lowest = expected.back() - static_cast<std::int32_t>(max_span) + 1;
      collapsed += i < lowest ? 1 : 0;
      i = std::max(i, lowest);
    }
    bool same = counts.total() == expected.size() && counts.collapsed() == collapsed;
    for (std::size_t rank = 0; same && rank != expected.size(); ++rank) same = counts.at(rank) == expected[rank];
    return same;
  }
  bucket_counts counts;
  std::vector<std::int32_t> all;
};

std::vector<std::byte> encoded(bucket_counts const& c) {
  std::vector<std::byte> bytes;
  c.encode(bytes);
  return bytes;
}

}  // namespace

TEST_CASE("buckets count what was added, in any order, split and merged in any way") {
  for (auto const max_span : {16u, 100u, 2048u})
    for (int const spread : {5, 60, 700, 20'000})
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(max_span, spread, seed);
        std::mt19937_64 random(seed);
        std::deque<counted> parts(1 + random() % 5);
        std::int32_t const around = static_cast<std::int32_t>(random() % 40'001) - 20'000;
        counted all;
        // Ranges that wander, so that new highest and new lowest buckets come late too.
        std::int32_t const drift = static_cast<std::int32_t>(random() % 21) - 10;
        for (std::int32_t i = 0, n = static_cast<std::int32_t>(random() % 500); i != n; ++i) {
          std::int32_t const index = static_cast<std::int32_t>(random() % static_cast<unsigned>(spread)) - spread / 2 + drift * i + around;
          std::uint64_t const times = 1 + random() % 3;
          all.add(index, times, max_span);
          parts[random() % parts.size()].add(index, times, max_span);
        }
        REQUIRE(all.holds(max_span));
        for (counted const& part : parts) REQUIRE(part.holds(max_span));
        parts.emplace_back();  // one with nothing in it
        while (parts.size() > 1) {
          std::ranges::shuffle(parts, random);
          parts[1].merge(parts[0], max_span);
          parts.pop_front();
        }
        REQUIRE(parts[0].holds(max_span));
        CHECK(encoded(parts[0].counts) == encoded(all.counts));
        std::vector<std::byte> const bytes = encoded(all.counts);
        std::span<std::byte const> from(bytes);
        all.counts = bucket_counts::decode(from, max_span);
        CHECK(from.empty());
        CHECK(all.holds(max_span));
      }
}

TEST_CASE("buckets cost what is in use while that is little, and never more than their range") {
  bucket_counts few;
  for (int i = 0; i != 10; ++i) few.add(i * 100, 1, 2048);
  CHECK(few.heap_bytes() <= 16 * 16);
  bucket_counts many;
  for (int i = -100'000; i != 100'000; ++i) many.add(i, 1, 2048);
  CHECK(many.heap_bytes() <= 2 * 8 * 2048);
  CHECK(many.collapsed() == 200'000 - 2048);
  bucket_counts downwards;
  for (int i = 100'000; i != -100'000; --i) downwards.add(i, 1, 2048);
  CHECK(downwards.heap_bytes() <= 2 * 8 * 2048);
}

TEST_CASE("the bytes of buckets are what they are documented to be") {
  bucket_counts c;
  CHECK(encoded(c) == std::vector{std::byte(0)});
  c.add(3, 300, 16);
  c.add(-2, 1, 16);
  c.add(-20, 2, 16);  // to -12
  std::vector<std::byte> expected;
  for (int const b : {3, 23, 2, 20, 1, 10, 0xac, 0x02, 2}) expected.push_back(static_cast<std::byte>(b));
  CHECK(encoded(c) == expected);
}

TEST_CASE("bytes that buckets do not make are refused") {
  auto const refused = [](std::vector<int> const& values, std::string_view why) {
    std::vector<std::byte> bytes;
    for (int const v : values) bytes.push_back(static_cast<std::byte>(v));
    fails_with(
        weir::errc::corrupt,
        [&bytes] {
          std::span<std::byte const> from(bytes);
          (void)bucket_counts::decode(from, 16);
        },
        why);
  };
  // Number of buckets, then for each zigzag distance and count, then the number collapsed.
  refused({}, "cut short");
  refused({1}, "beyond its end");
  refused({3, 2, 1, 2, 1}, "beyond its end");
  refused({1, 2, 0, 0}, "count of a bucket");
  refused({2, 2, 1, 0, 1, 0}, "out of order");
  refused({2, 2, 1, 1, 1, 0}, "out of order");
  refused({2, 2, 1, 32, 1, 0}, "too many");
  refused({2, 2, 3, 2, 9, 4}, "more is collapsed");
  refused({1, 0x82, 0x80, 0x80, 0x08, 1, 0}, "out of order");  // beyond all buckets there are
  refused({1, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0}, "too long");
}
