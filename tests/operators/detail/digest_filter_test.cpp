#include <weir/error.hpp>
#include <weir/operators/detail/digest_filter.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

using namespace weir;
using weir::detail::digest_filter;

TEST_CASE("a filter knows all digests that were added, and is wrong for less than one in 150 others") {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> added;
  digest_filter filter(50'000);
  for (int i = 0; i != 50'000; ++i) filter.add(added.emplace_back(random()));
  std::vector<std::byte> bytes;
  filter.save(bytes);
  CHECK(bytes.size() * 8 <= 50'000 * 12 + 1'000);
  std::span<std::byte const> from = bytes;
  digest_filter const restored = digest_filter::restored("dedup", from);
  CHECK(from.empty());
  std::size_t missed = 0, wrong = 0, different = 0;
  for (std::uint64_t const d : added) missed += filter.may_have(d) && restored.may_have(d) ? 0 : 1;
  CHECK(missed == 0);
  for (int i = 0; i != 300'000; ++i) {
    std::uint64_t const d = random();
    wrong += filter.may_have(d) ? 1 : 0;
    different += filter.may_have(d) != restored.may_have(d) ? 1 : 0;
  }
  CHECK(wrong < 2'000);
  CHECK(different == 0);
}

TEST_CASE("a filter of nothing has nothing, and one that is cut short is refused") {
  digest_filter const empty(0);
  CHECK_FALSE(empty.may_have(0));
  CHECK_FALSE(empty.may_have(~std::uint64_t{0}));
  std::vector<std::byte> bytes;
  empty.save(bytes);
  for (std::size_t n = 0; n != bytes.size(); ++n) {
    std::span<std::byte const> cut = std::span<std::byte const>(bytes).first(n);
    test::fails_with(errc::corrupt, [&] { digest_filter::restored("dedup", cut); });
  }
}
