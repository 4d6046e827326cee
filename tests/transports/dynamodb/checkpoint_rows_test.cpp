#include <weir/dynamodb/detail/checkpoint_rows.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::item;
using dynamodb::detail::segment;
using dynamodb::detail::stored_head;
using test::fails_with;

namespace {

checkpoint_key const key("bars", "ticks", "shard-1");

stored_head some_head() {
  stored_head h;
  h.head = checkpoint_head(position(17, 0, 3), 1'723'161'255'342'000'001, 12, "run 1");
  h.generation = "0123456789abcdef";
  h.commit = "fedcba9876543210";
  segment s;
  s.id = dynamodb::detail::segment_id(h.generation, 11);
  s.pieces = 2;
  s.bytes = 400'000;
  s.checksum = ~std::uint64_t{0};
  h.segments.push_back(s);
  return h;
}

}  // namespace

TEST_CASE("names of checkpoints have any bytes, and can be read in the table", "[dynamodb][state]") {
  CHECK(dynamodb::detail::hash_of(key) == "bars/ticks/shard-1");
  for (checkpoint_key const& k : {key, checkpoint_key("", "", ""), checkpoint_key("a/b", "%", std::string("\0\xff\n", 3))}) {
    auto const hash = dynamodb::detail::hash_of(k);
    CHECK(dynamodb::detail::key_of(hash) == k);
    CHECK(hash.starts_with(dynamodb::detail::hash_prefix_of(k.pipeline)));
  }
  for (char const* const text : {"", "a", "a/b", "a/b/%", "a/b/%4", "a/b/%zz", "a b/c/d"})
    CHECK(dynamodb::detail::key_of(text) == std::nullopt);
  fails_with(errc::too_large, [] { dynamodb::detail::hash_of({std::string(2050, 'x'), "s", "p"}); }, "2048 bytes", "partition p");
}

TEST_CASE("a head is read as it was written, and is refused when anything in it is another", "[dynamodb][state]") {
  stored_head const h = some_head();
  item const row = dynamodb::detail::row_of("bars/ticks/shard-1", h);
  CHECK(*row.at("position").as_string() == "17.0.3");
  CHECK(*row.at("written_at").as_string() == "2024-08-08T23:54:15.342000001Z");
  stored_head const read = dynamodb::detail::read_head(row, key, "t");
  CHECK(read.head == h.head);
  CHECK(read.generation == h.generation);
  CHECK(read.commit == h.commit);
  CHECK((read.segments == h.segments));
  for (auto const& [name, value] : row) {
    if (name == "checkpoint" || name == "part" || name == "format") continue;
    INFO(name);
    item damaged = row;
    damaged[name] = value.as_unsigned() ? attribute_value::number(*value.as_unsigned() + 1) : attribute_value::string("18");
    fails_with(
        errc::corrupt, [&] { dynamodb::detail::read_head(damaged, key, "t"); }, "checkpoint: cannot load", "pipeline bars", "table t");
    damaged.erase(name);
    fails_with(errc::corrupt, [&] { dynamodb::detail::read_head(damaged, key, "t"); });
  }
  item later = row;
  later["format"] = attribute_value::string("2");
  fails_with(errc::incompatible, [&] { dynamodb::detail::read_head(later, key, "t"); }, "its format is 2");
  fails_with(errc::corrupt, [&] { dynamodb::detail::read_head(row, {"bars", "ticks", "shard-2"}, "t"); }, "checksum");
}

TEST_CASE("a segment of any size is cut into pieces and put together again, or known to be damaged", "[dynamodb][state]") {
  for (std::size_t const size : {std::size_t{1}, std::size_t{350 * 1024}, std::size_t{350 * 1024 + 1}, std::size_t{1'000'000}}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i != size; ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
    segment s;
    s.id = "g/1/t";
    auto pieces = dynamodb::detail::split("a/b/c", bytes, s);
    CHECK(pieces.size() == (size + 350 * 1024 - 1) / (350 * 1024));
    for (std::size_t i = 1; i < pieces.size(); ++i) CHECK(*pieces[i - 1].at("part").as_string() < *pieces[i].at("part").as_string());
    CHECK((dynamodb::detail::join("a/b/c", s, pieces) == bytes));
    CHECK_FALSE(dynamodb::detail::join("a/b/d", s, pieces).has_value());
    auto fewer = pieces;
    fewer.pop_back();
    CHECK_FALSE(dynamodb::detail::join("a/b/c", s, fewer).has_value());
    auto damaged = bytes;
    damaged[size / 2] ^= std::byte(1);
    segment same = s;
    pieces = dynamodb::detail::split("a/b/c", damaged, same);
    CHECK_FALSE(dynamodb::detail::join("a/b/c", s, pieces).has_value());
  }
}

TEST_CASE("only what can never be named by a head again is garbage", "[dynamodb][state]") {
  stored_head const h = some_head();
  auto const part = [](std::string const& generation, std::uint64_t version) {
    return dynamodb::detail::part_prefix_of(dynamodb::detail::segment_id(generation, version)) + "000000";
  };
  CHECK(dynamodb::detail::is_garbage(part(h.generation, 1), h));
  CHECK(dynamodb::detail::is_garbage(part(h.generation, 12), h));
  CHECK_FALSE(dynamodb::detail::is_garbage(part(h.generation, 13), h));  // of the commit that builds on this one
  CHECK_FALSE(dynamodb::detail::is_garbage(part("another", 1), h));      // of one that builds on nothing
  for (std::string const& named : dynamodb::detail::piece_parts_of(h.segments[0])) CHECK_FALSE(dynamodb::detail::is_garbage(named, h));
  CHECK_FALSE(dynamodb::detail::is_garbage("head", h));
}

TEST_CASE("segments stay few, and what they have is written again when it has doubled", "[dynamodb][state]") {
  for (std::size_t const added : {std::size_t{100}, std::size_t{10'000}, std::size_t{1'000'000}}) {
    std::vector<segment> all;
    std::uint64_t written = 0, most = 0;
    for (int n = 0; n != 10'000; ++n) {
      std::size_t const from = dynamodb::detail::merge_from(all, added);
      segment s;
      s.bytes = added;
      for (std::size_t i = from; i != all.size(); ++i) s.bytes += all[i].bytes;
      all.resize(from);
      all.push_back(s);
      written += s.bytes;
      most = std::max<std::uint64_t>(most, all.size());
    }
    INFO(added << " bytes a commit: " << static_cast<double>(written) / (10'000.0 * static_cast<double>(added)) << " times, " << most
               << " segments");
    CHECK(most <= 20);
    CHECK(written <= 14 * 10'000 * static_cast<std::uint64_t>(added));  // it has doubled 13.3 times
  }
}
