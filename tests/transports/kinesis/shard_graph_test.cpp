#include <weir/kinesis/shard_graph.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using kinesis::hash_key;
using kinesis::shard;
using kinesis::shard_graph;
using kinesis::starting_position;
using enum kinesis::shard_progress;
using ids = std::vector<std::string>;

namespace {

// Keys in sixteenths of all: (0, 8) is the lower half.
kinesis::hash_key_range sixteenths(std::uint64_t from, std::uint64_t to) {
  return {hash_key(from << 60, 0), to == 16 ? hash_key::last() : hash_key((to << 60) - 1, ~std::uint64_t{0})};
}

shard open_shard(std::string id, std::uint64_t from, std::uint64_t to, std::string parent = {}, std::string adjacent = {}) {
  shard s;
  s.id = std::move(id);
  s.keys = sixteenths(from, to);
  s.parent = std::move(parent);
  s.adjacent_parent = std::move(adjacent);
  return s;
}
shard closed_shard(std::string id, std::uint64_t from, std::uint64_t to, std::string parent = {}, std::string adjacent = {}) {
  shard s = open_shard(std::move(id), from, to, std::move(parent), std::move(adjacent));
  s.closed = true;
  return s;
}

// Tells the progress of all that are unknown: none, but for these. Which may be read then.
ids readable(shard_graph& g, std::map<std::string, kinesis::shard_progress> const& known = {}) {
  ids const unknown = g.unknown();
  for (std::string const& id : unknown) g.set_progress(id, known.contains(id) ? known.at(id) : none);
  ids out = g.take_readable();
  std::ranges::sort(out);
  return out;
}

shard_graph from_the_oldest() { return shard_graph(starting_position::trim_horizon()); }
shard_graph from_the_tip() { return shard_graph(starting_position::latest()); }

// a was split into b and c; c was split into d and e; b and d were merged to f:
//
//   a --- b ------- f
//     \          /
//       c --- d
//         \-- e
std::vector<shard> const history{closed_shard("a", 0, 16),      closed_shard("b", 0, 8, "a"), closed_shard("c", 8, 16, "a"),
                                 closed_shard("d", 8, 12, "c"), open_shard("e", 12, 16, "c"), open_shard("f", 0, 12, "b", "d")};

}  // namespace

TEST_CASE("all shards of a new stream are read at once, each one time", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update({open_shard("a", 0, 8), open_shard("b", 8, 16)});
  CHECK(g.unknown() == ids{"a", "b"});
  CHECK(readable(g) == ids{"a", "b"});
  CHECK(readable(g).empty());
  g.update({open_shard("a", 0, 8), open_shard("b", 8, 16)});
  CHECK(g.unknown().empty());
  CHECK(readable(g).empty());
  CHECK(g.find("a")->keys == sixteenths(0, 8));
  CHECK(g.find("x") == nullptr);
  CHECK(g.ids() == ids{"a", "b"});
}

TEST_CASE("children are held back until every parent has ended, also the adjacent one", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  std::vector<shard> backwards = history;
  std::ranges::reverse(backwards);
  g.update(backwards);
  CHECK(readable(g) == ids{"a"});
  g.finish("a");
  CHECK(readable(g) == ids{"b", "c"});
  g.finish("c");
  CHECK(readable(g) == ids{"d", "e"});
  g.finish("d");
  CHECK(readable(g).empty());
  g.finish("b");
  CHECK(readable(g) == ids{"f"});
}

TEST_CASE("closed shards with records that nobody has read are read from their beginning", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(readable(g) == ids{"a"});
  for (shard const& s : history) CHECK(g.start_of(s.id) == starting_position::trim_horizon());
}

TEST_CASE("a parent that is trimmed away, or was never listed, does not hold back its children", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update({closed_shard("b", 0, 8, "a"), open_shard("e", 8, 16, "gone"), open_shard("f", 0, 8, "b", "gone, too")});
  CHECK(readable(g) == ids{"b", "e"});
  g.update({open_shard("e", 8, 16, "gone"), open_shard("f", 0, 8, "b", "gone, too")});
  CHECK(readable(g).empty());  // it is being read, gone or not
  g.finish("b");
  CHECK(readable(g) == ids{"f"});
}

TEST_CASE("a shard that goes away before it was read is told of, and lets its children go", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(readable(g) == ids{"a"});
  g.halt("a");
  CHECK(readable(g).empty());
  g.update({history.begin() + 2, history.end()});  // a and b are gone
  CHECK(g.take_missed().size() == 2);
  CHECK(g.take_missed().empty());
  CHECK(readable(g) == ids{"c"});
}

TEST_CASE("shards that came while others were read begin with their first record, at whatever place those began", "[kinesis][graph]") {
  shard_graph g = from_the_tip();
  g.update({open_shard("a", 0, 8), open_shard("b", 8, 16)});
  CHECK(readable(g) == ids{"a", "b"});
  CHECK(g.start_of("a") == starting_position::latest());
  g.update({closed_shard("a", 0, 8), open_shard("b", 8, 16), open_shard("c", 0, 4, "a"), closed_shard("d", 4, 8, "a")});
  CHECK(readable(g).empty());
  g.finish("a");
  CHECK(readable(g) == ids{"c", "d"});
  CHECK(g.start_of("c") == starting_position::trim_horizon());
  CHECK(g.start_of("d") == starting_position::trim_horizon());
}

TEST_CASE("a start at the tip leaves out what is closed, and begins with the open shards at once", "[kinesis][graph]") {
  shard_graph g = from_the_tip();
  g.update(history);
  CHECK(readable(g) == ids{"e", "f"});
  CHECK(g.start_of("f") == starting_position::latest());
  CHECK(g.unread().empty());
}

TEST_CASE("what came of a shard that was read is read from its beginning after a restart at the tip", "[kinesis][graph]") {
  shard_graph g = from_the_tip();
  g.update(history);
  CHECK(readable(g, {{"c", some}}) == ids{"c"});
  CHECK(g.start_of("e") == starting_position::trim_horizon());
  CHECK(g.start_of("f") == starting_position::trim_horizon());
  g.finish("c");
  CHECK(readable(g) == ids{"d", "e"});  // b, beside c, had nothing
  g.finish("d");
  CHECK(readable(g) == ids{"f"});
}

TEST_CASE("a time to begin at is where every shard without a checkpoint begins", "[kinesis][graph]") {
  auto const time = starting_position::at(instant{1'700'000'000'000'000'000});
  shard_graph g(time);
  g.update(history);
  CHECK(readable(g, {{"a", finished}}) == ids{"b", "c"});
  CHECK(g.start_of("b") == time);
}

TEST_CASE("a finished shard is not read again after a restart", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(readable(g, {{"a", finished}, {"b", finished}, {"c", finished}, {"d", finished}}) == ids{"e", "f"});
  g.update(history);
  CHECK(readable(g).empty());
}

TEST_CASE("a shard of which a child was read is done, though its own checkpoint is gone", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(readable(g, {{"d", some}, {"e", finished}}) == ids{"b", "d"});  // nothing says that b is done
  g.finish("b");
  g.finish("d");
  CHECK(readable(g) == ids{"f"});
}

TEST_CASE("a checkpoint far down means that all above is done", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(readable(g, {{"f", some}}) == ids{"e", "f"});
}

TEST_CASE("keys that no shard has which is read are found", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  CHECK(g.unread() == std::vector<kinesis::hash_key_range>{sixteenths(0, 16)});
  g.update({open_shard("a", 1, 4), open_shard("b", 6, 12), open_shard("c", 3, 5)});
  CHECK(readable(g) == ids{"a", "b", "c"});
  CHECK(g.unread() == std::vector<kinesis::hash_key_range>{sixteenths(0, 1), sixteenths(5, 6), sixteenths(12, 16)});
}

TEST_CASE("every key is read through splits and merges, and when children are not listed in time, it shows", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  readable(g);
  CHECK(g.unread().empty());
  for (char const* const id : {"a", "c", "b", "d"}) {
    g.finish(id);
    CHECK(g.unread().empty());
    readable(g);
  }
  g.finish("e");
  CHECK(g.unread() == std::vector<kinesis::hash_key_range>{sixteenths(12, 16)});
  std::vector<shard> later = history;
  later[4].closed = true;
  later.push_back(open_shard("g", 12, 13, "e"));
  g.update(later);
  CHECK(readable(g) == ids{"g"});
  CHECK(g.unread() == std::vector<kinesis::hash_key_range>{sixteenths(13, 16)});
  g.halt("f");
  CHECK(g.unread() == std::vector<kinesis::hash_key_range>{sixteenths(0, 12), sixteenths(13, 16)});
}

TEST_CASE("a shard that names itself, or its child, as its parent does no harm", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update({open_shard("a", 0, 8, "a"), open_shard("b", 8, 12, "c"), open_shard("c", 12, 16, "b"), open_shard("d", 0, 1, "b")});
  CHECK(readable(g, {{"b", some}}) == ids{"a", "b"});
  CHECK(g.take_readable().empty());
}

TEST_CASE("each key of a long history is read by one shard at a time", "[kinesis][graph]") {
  // 2,000 generations of one half being split again and again: shard n is closed and has two children.
  std::vector<shard> all;
  all.push_back(closed_shard("0", 0, 16));
  for (std::size_t i = 0; i != 2'000; ++i) {
    std::string const parent = std::to_string(2 * i);
    all.push_back(open_shard(std::to_string(2 * i + 1), 0, 8, parent));
    all.push_back(closed_shard(std::to_string(2 * i + 2), 8, 16, parent));
  }
  shard_graph g = from_the_oldest();
  g.update(all);
  CHECK(readable(g) == ids{"0"});
  for (std::size_t i = 0; i != 2'000; ++i) {
    g.finish(std::to_string(2 * i));
    CHECK(g.take_readable().size() == 2);
  }
}

TEST_CASE("all that a shard ended in is known when it has all of its keys", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update(history);
  CHECK(g.heirs_of("a") == ids{"b", "c"});
  CHECK(g.heirs_of("b") == ids{"f"});
  CHECK(g.heirs_of("d") == ids{"f"});
  CHECK(g.heirs_of("e").empty());  // it is open
  shard_graph half = from_the_oldest();
  half.update({closed_shard("a", 0, 16), open_shard("c", 8, 16, "a")});
  CHECK(half.heirs_of("a").empty());
}

TEST_CASE("of what a shard ended in one has its lowest keys, also when it is gone", "[kinesis][graph]") {
  shard_graph g = from_the_oldest();
  g.update({open_shard("b", 0, 8, "a"), open_shard("c", 8, 16, "a")});
  CHECK(g.is_first_of("a", "b"));
  CHECK_FALSE(g.is_first_of("a", "c"));
  g.update({open_shard("c", 8, 16, "a")});
  CHECK_FALSE(g.is_first_of("a", "c"));
  shard_graph told = from_the_oldest();
  told.update({open_shard("c", 8, 16, "a")});
  told.remember(closed_shard("a", 0, 16));
  CHECK_FALSE(told.is_first_of("a", "c"));
  CHECK(told.find("a") == nullptr);
  REQUIRE(told.recall("a"));
  CHECK(told.recall("a")->keys == sixteenths(0, 16));
}
