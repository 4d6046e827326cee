#include <weir/kinesis/record_unpacker.hpp>

#include <weir/kinesis/sequence_number.hpp>
#include <weir/net/hashes.hpp>

#include "support/catch.hpp"

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::string_literals;
using kinesis::hash_key;
using kinesis::misplaced_records;
using kinesis::record_batch;
using kinesis::record_unpacker;
using texts = std::vector<std::string>;

namespace {

// As "KPL Aggregated Record Format" has it: key, hash key or none, data.
struct inner {
  std::string key, hash, data;
};
std::string field(char tag, std::string const& bytes) { return std::string(1, tag) + static_cast<char>(bytes.size()) + bytes; }
std::string wrapped(std::string const& message) { return "\xf3\x89\x9a\xc2" + message + std::string(net::bytes_of(net::md5(message))); }
std::string aggregated(std::vector<inner> const& all) {
  std::string keys, hashes, records;
  char hash = 0;
  for (std::size_t i = 0; i != all.size(); ++i) {
    keys += field('\x0a', all[i].key);
    std::string r = "\x08"s + static_cast<char>(i);
    if (!all[i].hash.empty()) {
      hashes += field('\x12', all[i].hash);
      r += "\x10"s + hash++;
    }
    records += field('\x1a', r + field('\x1a', all[i].data));
  }
  return wrapped(keys + hashes + records);
}

// A reply of these records, numbered from `first` on, with the key "k".
record_batch reply(std::vector<std::string> const& data, std::uint64_t first = 1) {
  std::size_t size = 1;
  for (std::string const& d : data) size += d.size() + 1;
  record_batch out;
  out.bytes = shared_bytes(size);
  char* to = out.bytes.data();
  for (std::string const& d : data) {
    kinesis::record_view r;
    std::memcpy(to, d.data(), d.size());
    r.data = {to, d.size()};
    to += d.size();
    *to = 'k';
    r.partition_key = {to++, 1};
    r.position = *kinesis::position_of(std::to_string(first++));
    r.arrival = 1'795'961'202'175'000'000;
    out.records.push_back(r);
  }
  if (data.empty()) out.bytes = shared_bytes();
  return out;
}

texts data_of(std::span<kinesis::record const> some) {
  texts out;
  for (auto const& r : some) out.emplace_back(r.data());
  return out;
}
texts all_of(record_unpacker& u) {
  texts out;
  for (auto some = u.next(); !some.empty(); some = u.next())
    for (auto const& r : some) out.emplace_back(r.data());
  return out;
}

position at(char const* number, std::uint64_t sub = 0) { return *kinesis::position_of(number, sub); }
kinesis::hash_key_range const lower{hash_key(), hash_key((std::uint64_t{1} << 63) - 1, ~std::uint64_t{0})};
std::string const low = "7", high = "340282366920938463463374607431768211455";  // 2^128 - 1

record_unpacker unpacker(std::optional<position> after = {}, misplaced_records policy = misplaced_records::drop) {
  return record_unpacker("shardId-000000000003", lower, policy, after);
}

}  // namespace

TEST_CASE("a plain record is a record", "[kinesis][unpacker]") {
  record_unpacker u = unpacker();
  record_batch batch = reply({"one", ""}, 4711);
  batch.records[1].encrypted = true;
  u.take(std::move(batch));
  std::span<kinesis::record> const some = u.next();
  REQUIRE(some.size() == 2);
  CHECK(some[0].data() == "one");
  CHECK(some[0].payload() == "one");
  CHECK(some[0].partition_key() == "k");
  CHECK(some[0].position() == at("4711"));
  CHECK(some[0].arrival() == 1'795'961'202'175'000'000);
  CHECK(some[0].shard_id() == "shardId-000000000003");
  CHECK(some[0].explicit_hash_key().empty());
  CHECK(some[0].hash_key() == hash_key::of("k"));
  CHECK_FALSE(some[0].encrypted());
  CHECK(some[1].data().empty());
  CHECK(some[1].encrypted());
  CHECK(u.next().empty());
}

TEST_CASE("a record outlives its chunk and its reply", "[kinesis][unpacker]") {
  kinesis::record kept, copy;
  {
    record_unpacker u = unpacker();
    u.take(reply({"one", "two"}));
    std::span<kinesis::record> const some = u.next();
    copy = some[1];
    kept = std::move(some[0]);
    CHECK(some[0].position() == at("1"));  // what was moved from still knows it
    CHECK(some[0].data().empty());
    u.next();
    u.take(reply({"three"}, 3));
    u.next();
  }
  CHECK(kept.data() == "one");
  CHECK(kept.shard_id() == "shardId-000000000003");
  CHECK(copy.data() == "two");
}

TEST_CASE("chunks have at most 256 records, and nothing is between them", "[kinesis][unpacker]") {
  texts many;
  for (int i = 0; i != 1000; ++i) many.push_back(std::to_string(i));
  record_unpacker u = unpacker();
  u.take(reply(many));
  texts got;
  std::vector<std::size_t> sizes;
  for (auto some = u.next(); !some.empty(); some = u.next()) {
    sizes.push_back(some.size());
    for (auto const& d : data_of(some)) got.push_back(d);
  }
  CHECK(sizes == std::vector<std::size_t>{256, 256, 256, 232});
  CHECK(got == many);
}

TEST_CASE("records that a producer put into one come one by one, with numbers of their own", "[kinesis][unpacker]") {
  record_unpacker u = unpacker();
  u.take(reply({"plain", aggregated({{"a", low, "x"}, {"b", low, "y"}}), "plain, too"}, 10));
  std::span<kinesis::record> const some = u.next();
  REQUIRE(data_of(some) == texts{"plain", "x", "y", "plain, too"});
  CHECK(some[1].position() == at("11", 0));
  CHECK(some[2].position() == at("11", 1));
  CHECK(some[3].position() == at("12"));
  CHECK(some[2].partition_key() == "b");
  CHECK(some[2].explicit_hash_key() == low);
  CHECK(some[2].hash_key() == hash_key(0, 7));
  CHECK(some[2].arrival() == some[0].arrival());
}

TEST_CASE("a bad checksum means a plain record", "[kinesis][unpacker]") {
  std::string bytes = aggregated({{"a", low, "x"}});
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  record_unpacker u = unpacker();
  u.take(reply({bytes}));
  CHECK(all_of(u) == texts{bytes});
}

TEST_CASE("reading resumes in the middle of a record with others in it", "[kinesis][unpacker]") {
  std::string const three = aggregated({{"a", low, "x"}, {"b", low, "y"}, {"c", low, "z"}});
  for (auto const& [sub, left] :
       {std::pair(0U, texts{"y", "z", "next"}), std::pair(1U, texts{"z", "next"}), std::pair(2U, texts{"next"})}) {
    record_unpacker u = unpacker(at("10", sub));
    u.take(reply({three, "next"}, 10));
    CHECK(all_of(u) == left);
  }
}

TEST_CASE("a plain record at the position is left out, and one behind it is not, though it is another than was asked for",
          "[kinesis][unpacker]") {
  record_unpacker u = unpacker(at("10"));
  u.take(reply({"known", "next"}, 10));
  CHECK(all_of(u) == texts{"next"});
  record_unpacker gone = unpacker(at("10"));  // what was at 10 is trimmed away
  gone.take(reply({"a", "b"}, 13));
  CHECK(all_of(gone) == texts{"a", "b"});
}

TEST_CASE("inner records outside of the shard are left out one by one, and counted", "[kinesis][unpacker]") {
  record_unpacker u = unpacker();
  u.take(reply({aggregated({{"a", low, "x"}, {"b", high, "not ours"}, {"c", low, "z"}}), "plain"}, 10));
  std::span<kinesis::record> const some = u.next();
  REQUIRE(data_of(some) == texts{"x", "z", "plain"});
  CHECK(some[1].position() == at("10", 2));
  CHECK(u.misplaced() == 1);
}

TEST_CASE("a key that has no hash of its own decides by its MD5 whether a record is misplaced", "[kinesis][unpacker]") {
  // By python3's hashlib, md5("a") begins with 0c, md5("b") with 92: below and above the middle.
  record_unpacker u = unpacker();
  u.take(reply({aggregated({{"a", "", "ours"}, {"b", "", "not ours"}})}));
  CHECK(all_of(u) == texts{"ours"});
  CHECK(u.misplaced() == 1);
}

TEST_CASE("misplaced records are kept where that is asked for", "[kinesis][unpacker]") {
  record_unpacker u = unpacker({}, misplaced_records::keep);
  u.take(reply({aggregated({{"a", low, "x"}, {"b", high, "y"}})}));
  CHECK(all_of(u) == texts{"x", "y"});
  CHECK(u.misplaced() == 0);
}

TEST_CASE("a record of which nothing is left gives nothing, and what is behind it comes", "[kinesis][unpacker]") {
  std::string const none = aggregated({{"b", high, "not ours"}}), empty = wrapped(field('\x0a', "a"));
  record_unpacker u = unpacker();
  u.take(reply({none}, 10));
  CHECK(u.next().empty());
  u.take(reply({none, empty, none, "next"}, 11));
  CHECK(all_of(u) == texts{"next"});
  CHECK(u.misplaced() == 3);
}

TEST_CASE("an empty reply is no record", "[kinesis][unpacker]") {
  record_unpacker u = unpacker();
  u.take(reply({}));
  CHECK(u.next().empty());
}

TEST_CASE("an idle shard keeps no reply", "[kinesis][unpacker]") {
  record_unpacker u = unpacker();
  record_batch batch = reply({"one"});
  shared_bytes const watched = batch.bytes;
  u.take(std::move(batch));
  while (!u.next().empty()) CHECK_FALSE(watched.unique());
  CHECK(watched.unique());
}
