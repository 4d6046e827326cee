#include <weir/kinesis/aggregated_record.hpp>

#include <weir/net/hashes.hpp>

#include "support/catch.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace weir;
using namespace std::string_literals;
using hash_text = std::optional<std::string_view>;

namespace {

// Around a message, as producers do it.
std::string wrapped(std::string const& message) { return "\xf3\x89\x9a\xc2" + message + std::string(net::bytes_of(net::md5(message))); }
// What aws-kinesis-agg 4.2.8 wrote: "b25l", "two" and "three", with the keys "a", "b", "a", the second one with the hash key 123.
std::string const three =
    "\n\1a\n\1b\x12\3"
    "123\x1a\x08\x08\x00\x1a\4b25l\x1a\x09\x08\x01\x10\x00\x1a\3two\x1a\x09\x08\x00\x1a\5three"s;

}  // namespace

TEST_CASE("records that a producer has put into one are read", "[kinesis][aggregated]") {
  std::string const bytes = wrapped(three);
  if (auto const data = test::shared_data(); data || !test::skip("no shared data, so not the same bytes as another library's")) {
    std::ifstream in(*data / "captures/kinesis/kpl-aggregated-3.bin", std::ios::binary);
    CHECK(bytes == std::string(std::istreambuf_iterator<char>(in), {}));
  }
  auto const all = kinesis::read_aggregated(bytes);
  REQUIRE(all);
  REQUIRE(all->size() == 3);
  CHECK((*all)[0].partition_key == "a");
  CHECK((*all)[0].explicit_hash_key == hash_text());
  CHECK((*all)[0].data == "b25l");
  CHECK((*all)[1].partition_key == "b");
  CHECK((*all)[1].explicit_hash_key == hash_text("123"));
  CHECK((*all)[1].data == "two");
  CHECK((*all)[2].partition_key == "a");
  CHECK((*all)[2].data == "three");
}

TEST_CASE("a record that is not whole, or was never aggregated, is a plain one", "[kinesis][aggregated]") {
  std::string const bytes = wrapped(three);
  for (std::size_t bit = 0; bit != 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    CHECK_FALSE(kinesis::read_aggregated(flipped));
  }
  for (std::size_t n = 0; n != bytes.size(); ++n) CHECK_FALSE(kinesis::read_aggregated(std::string_view(bytes).substr(0, n)));
  CHECK_FALSE(kinesis::read_aggregated("hello"));
  CHECK_FALSE(kinesis::read_aggregated(wrapped("")));
}

TEST_CASE("a message that is not what it should be is a plain record, though its checksum is right", "[kinesis][aggregated]") {
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\n\5a")));                                  // longer than it is
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\n\1a\x1a\x05\x08\x01\x1a\1x")));           // a key that the table does not have
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\n\1a\x1a\x07\x08\x00\x10\x00\x1a\1x"s)));  // a hash key likewise
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\n\1a\x1a\x03\x1a\1x")));                   // no key
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\n\1a\x1a\x02\x08\x00"s)));                 // no data
  CHECK_FALSE(kinesis::read_aggregated(wrapped(std::string(11, '\xff'))));                  // a number without an end
  CHECK_FALSE(kinesis::read_aggregated(wrapped("\x0b")));                                   // a group
}

TEST_CASE("fields of a later version, and tags, are passed over", "[kinesis][aggregated]") {
  std::string const bytes = wrapped(
      "\n\1a\x20\x07\x29"
      "12345678"
      "\x35"
      "1234"
      "\x1a\x0b\x08\x00\x1a\1x\x22\4\n\2tk"s);
  auto const all = kinesis::read_aggregated(bytes);
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  CHECK((*all)[0].data == "x");
  auto const none = kinesis::read_aggregated(wrapped("\n\1a"));
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("records are put into one as another library does it", "[kinesis][aggregated]") {
  std::vector<kinesis::outgoing_record> const records{{"a", "b25l"}, {"b", "two", kinesis::hash_key::parse("123")}, {"a", "three"}};
  CHECK(kinesis::write_aggregated(records) == wrapped(three));
}

TEST_CASE("what is put into one comes out again", "[kinesis][aggregated]") {
  std::vector<kinesis::outgoing_record> records;
  for (std::size_t i = 0; i != 300; ++i) {
    records.emplace_back("key " + std::to_string(i % 200), std::string(i * 7, static_cast<char>(i)));
    if (i % 3 == 0) records.back().explicit_hash_key = kinesis::hash_key(i, i % 5);
  }
  std::string const bytes = kinesis::write_aggregated(records);
  auto const all = kinesis::read_aggregated(bytes);
  REQUIRE(all);
  REQUIRE(all->size() == records.size());
  for (std::size_t i = 0; i != records.size(); ++i) {
    CHECK((*all)[i].partition_key == records[i].partition_key);
    CHECK((*all)[i].data == records[i].data);
    CHECK((*all)[i].explicit_hash_key.has_value() == records[i].explicit_hash_key.has_value());
    if (records[i].explicit_hash_key) CHECK(kinesis::hash_key::parse(*(*all)[i].explicit_hash_key) == records[i].explicit_hash_key);
  }
}
