#include <weir/kinesis/hash_key.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;
using kinesis::hash_key;

TEST_CASE("the hash key of a partition key", "[kinesis][hash_key]") {
  // python3 -c 'import hashlib; print(int(hashlib.md5(b"a").hexdigest(), 16))'
  CHECK(hash_key::of("a").text() == "16955237001963240173058271559858726497");
  CHECK(hash_key::of("").text() == "281949768489412648962353822266799178366");
  CHECK(hash_key::of("a") == hash_key(0x0cc175b9c0f1b6a8, 0x31c399e269772661));
}

TEST_CASE("hash keys are numbers of 128 bits", "[kinesis][hash_key]") {
  CHECK(hash_key::parse("0") == hash_key());
  CHECK(hash_key::parse("340282366920938463463374607431768211455") == hash_key::last());  // 2^128 - 1
  CHECK(hash_key::last().text() == "340282366920938463463374607431768211455");
  CHECK(hash_key::parse("18446744073709551616") == hash_key(1, 0));  // 2^64
  CHECK(hash_key(1, 0).text() == "18446744073709551616");
  for (char const* const bad :
       {"", "-1", "1.0", " 1", "340282366920938463463374607431768211456", "12345678901234567890123456789012345678901234"})
    CHECK_FALSE(hash_key::parse(bad));
}

TEST_CASE("both ends of a range are in it", "[kinesis][hash_key]") {
  kinesis::hash_key_range const half{hash_key(1, 0), hash_key(2, 5)};
  CHECK(half.has(hash_key(1, 0)));
  CHECK(half.has(hash_key(2, 5)));
  CHECK_FALSE(half.has(hash_key(0, ~std::uint64_t{0})));
  CHECK_FALSE(half.has(hash_key(2, 6)));
  CHECK(kinesis::hash_key_range().has(hash_key::last()));
}

TEST_CASE("a sequence number is a position, and comes back", "[kinesis][position]") {
  std::string const number = "49590338271490256608559692538361571095921575989136588898";  // of the API reference
  auto const at = kinesis::position_of(number, 3);
  REQUIRE(at);
  CHECK(kinesis::sequence_number_of(*at) == number);
  CHECK(kinesis::sub_sequence_number_of(*at) == 3);
  CHECK(position::parse(at->text()) == at);
  CHECK(*kinesis::position_of(number, 2) < *at);
  CHECK(*kinesis::position_of("49590338271490256608559692538361571095921575989136588899") > *at);
  CHECK(*kinesis::position_of("9") < *kinesis::position_of("10"));
  CHECK(kinesis::sequence_number_of(*kinesis::position_of("0")) == "0");
  // 2^192 - 1 is the last one, as python3 has it.
  CHECK(kinesis::position_of("6277101735386680763835789423207666416102355444464034512895"));
  for (char const* const bad : {"", "x", "-1", "TRIM_HORIZON", "6277101735386680763835789423207666416102355444464034512896"})
    CHECK_FALSE(kinesis::position_of(bad));
  CHECK_FALSE(kinesis::position_of("1", std::uint64_t{1} << 61));
}
