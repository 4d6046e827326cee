#include <weir/operators/detail/stable_hash.hpp>

#include "support/catch.hpp"

#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

using namespace weir::detail;

namespace {

std::uint64_t xxh64_of(std::string_view text) { return xxh64(std::as_bytes(std::span(text))); }

// What xxhsum checks itself with: the first `size` of its pseudo-random bytes.
std::vector<unsigned char> xxhsum_bytes(std::size_t size) {
  std::vector<unsigned char> bytes;
  for (std::uint64_t x = 2654435761u; bytes.size() != size; x *= 11400714785074694797u)
    bytes.push_back(static_cast<unsigned char>(x >> 56));
  return bytes;
}

enum class side : short { buy = 1, sell = -2 };

}  // namespace

TEST_CASE("text and bytes are hashed by XXH64") {
  // xxHash's cli/xsum_sanity_check.c, seed 0.
  CHECK(stable_hash(xxhsum_bytes(0)) == 0xEF46DB3751D8E999);
  CHECK(stable_hash(xxhsum_bytes(1)) == 0xE934A84ADB052768);
  CHECK(stable_hash(xxhsum_bytes(4)) == 0x9136A0DCA57457EE);
  CHECK(stable_hash(xxhsum_bytes(14)) == 0x8282DCC4994E35C8);
  CHECK(stable_hash(xxhsum_bytes(222)) == 0xB641AE8CB691C174);
  // The tests of python-xxhash, and the reference library for sizes around a stripe.
  CHECK(xxh64_of("a") == 15154266338359012955u);
  CHECK(xxh64_of("ab") == 7347350983217793633u);
  CHECK(xxh64_of("abc") == 4952883123889572249u);
  CHECK(stable_hash(xxhsum_bytes(8)) == 0xCDBCF538E71D1348);
  CHECK(stable_hash(xxhsum_bytes(31)) == 0x299B39A290E6D783);
  CHECK(stable_hash(xxhsum_bytes(32)) == 0x18B216492BB44B70);
  CHECK(stable_hash(xxhsum_bytes(63)) == 0xA9EFBE0FA0F3F4E7);

  CHECK(stable_hash(std::string("abc")) == xxh64_of("abc"));
  CHECK(stable_hash(std::string_view("abc")) == xxh64_of("abc"));
  CHECK(stable_hash(std::array{std::byte('a'), std::byte('b'), std::byte('c')}) == xxh64_of("abc"));
}

TEST_CASE("numbers are hashed by SplitMix64") {
  // The first five numbers of the generator with the seed 1234567, which are the hashes of a counter.
  static_assert(splitmix64(1234567) == 6457827717110365317u);
  std::uint64_t const step = 0x9e3779b97f4a7c15;
  CHECK(stable_hash(1234567) == 6457827717110365317u);
  CHECK(stable_hash(1234567 + step) == 3203168211198807973u);
  CHECK(stable_hash(1234567 + 2 * step) == 9817491932198370423u);
  CHECK(stable_hash(1234567 + 3 * step) == 4593380528125082431u);
  CHECK(stable_hash(1234567 + 4 * step) == 16408922859458223821u);
}

TEST_CASE("a value has one hash, whatever type it comes in") {
  using namespace std::chrono;
  CHECK(stable_hash(static_cast<signed char>(-2)) == stable_hash(std::int64_t(-2)));
  CHECK(stable_hash(side::sell) == stable_hash(-2));
  CHECK(stable_hash(true) == stable_hash(1u));
  CHECK(stable_hash(milliseconds(7)) == stable_hash(7));
  CHECK(stable_hash(sys_seconds(seconds(7))) == stable_hash(7));
  CHECK(stable_hash(0.5F) == stable_hash(0.5));
  CHECK(stable_hash(-0.0) == stable_hash(0.0));
  CHECK(stable_hash(std::nan("1")) == stable_hash(-std::nan("2")));
  CHECK(stable_hash(1.0) == splitmix64(0x3ff0000000000000));
  std::string const name("a");
  CHECK(stable_hash(std::pair(name, 2)) == stable_hash(std::make_tuple("a", std::uint64_t(2))));
  CHECK(stable_hash(std::tie(name, name)) == stable_hash(std::pair(name, name)));
}

TEST_CASE("the parts of a pair have their places") {
  std::unordered_set<std::uint64_t> hashes;
  for (int a = 0; a != 100; ++a)
    for (int b = 0; b != 100; ++b) hashes.insert(stable_hash(std::pair(a, b)));
  CHECK(hashes.size() == 10'000);
}

TEST_CASE("what has no stable hash is told apart when compiling") {
  struct own {};
  static_assert(stably_hashable<std::string> && stably_hashable<std::pair<std::string, std::tuple<int, float>>>);
  static_assert(!stably_hashable<own> && !stably_hashable<int*> && !stably_hashable<std::pair<int, own>> && !stably_hashable<long double>);
  static_assert(!stably_hashable<std::vector<int>> && !stably_hashable<std::wstring> && !stably_hashable<std::bitset<8>>);
  static_assert(!stably_hashable<std::chrono::duration<double>>);
  SUCCEED();
}
