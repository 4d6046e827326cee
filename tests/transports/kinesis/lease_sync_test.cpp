#include <weir/kinesis/lease_sync.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace weir;
using kinesis::compare_leases;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::shard;

namespace {

shard shard_of(std::string id, std::string parent = "", std::string adjacent = "", std::string const& state = "open") {
  shard s;
  s.id = std::move(id);
  s.parent = std::move(parent);
  s.adjacent_parent = std::move(adjacent);
  s.closed = state == "closed";
  return s;
}
lease lease_at(std::string key, std::string const& checkpoint, std::set<std::string> parents = {}, std::set<std::string> children = {}) {
  lease l;
  l.key = std::move(key);
  l.checkpoint = lease_checkpoint::parse(checkpoint).value();
  l.parents = std::move(parents);
  l.children = std::move(children);
  return l;
}
// "B@TRIM_HORIZON C@LATEST"
std::string text_of(std::vector<lease> const& all) {
  std::string out;
  for (lease const& l : all) out += (out.empty() ? "" : " ") + l.key + '@' + l.checkpoint.text();
  return out;
}
std::string created(std::vector<shard> const& shards, std::vector<lease> const& leases,
                    lease_checkpoint const& first = lease_checkpoint::trim_horizon()) {
  return text_of(compare_leases(shards, leases, first).create);
}

// A split into B and C, then C and D merged into E:
//   A --+-- B
//       +-- C --+-- E
//   D ----------+
std::vector<shard> const grown{shard_of("A", "", "", "closed"), shard_of("B", "A"), shard_of("C", "A", "", "closed"),
                               shard_of("D", "", "", "closed"), shard_of("E", "C", "D")};

}  // namespace

TEST_CASE("the first leases of a stream are those of its oldest shards", "[kinesis][lease]") {
  CHECK(created(grown, {}) == "A@TRIM_HORIZON D@TRIM_HORIZON");
  CHECK(created(grown, {}, lease_checkpoint::at_timestamp()) == "A@AT_TIMESTAMP D@AT_TIMESTAMP");
  auto const made = compare_leases(std::vector{grown[4]}, {}, lease_checkpoint::trim_horizon()).create;
  REQUIRE(made.size() == 1);  // its parents are older than what the stream keeps
  CHECK(made[0].parents == std::set<std::string>{"C", "D"});
  CHECK(made[0].keys == grown[4].keys);
}

TEST_CASE("from now on means the open shards, and what comes of them from its beginning", "[kinesis][lease]") {
  CHECK(created(grown, {}, lease_checkpoint::latest()) == "B@LATEST E@LATEST");
  std::vector<shard> later = grown;
  later[1].closed = true;
  later.push_back(shard_of("F", "B"));
  later.push_back(shard_of("G", "B"));
  CHECK(created(later, {lease_at("B", "17"), lease_at("E", "LATEST")}, lease_checkpoint::latest()) == "");
  CHECK(created(later, {lease_at("B", "SHARD_END"), lease_at("E", "LATEST")}, lease_checkpoint::latest()) ==
        "F@TRIM_HORIZON G@TRIM_HORIZON");
}

TEST_CASE("from now on is meant for the other shards, too, when the first leases are only partly made", "[kinesis][lease]") {
  lease_checkpoint const latest = lease_checkpoint::latest();
  CHECK(created(grown, {lease_at("E", "LATEST")}, latest) == "B@LATEST");
  CHECK(created(grown, {lease_at("B", "LATEST")}, latest) == "E@LATEST");
  // What comes of a shard with a lease waits for it, over generations: B --- F --- H
  std::vector<shard> later = grown;
  later[1].closed = true;
  later.push_back(shard_of("F", "B", "", "closed"));
  later.push_back(shard_of("H", "F"));
  CHECK(created(later, {lease_at("B", "LATEST"), lease_at("E", "LATEST")}, latest) == "");
  CHECK(created(later, {lease_at("B", "SHARD_END"), lease_at("E", "LATEST")}, latest) == "F@TRIM_HORIZON");
}

TEST_CASE("a child gets its lease when all its parents have ended", "[kinesis][lease]") {
  CHECK(created(grown, {lease_at("A", "5"), lease_at("D", "SHARD_END")}) == "");
  CHECK(created(grown, {lease_at("A", "SHARD_END"), lease_at("D", "5")}) == "B@TRIM_HORIZON C@TRIM_HORIZON");
  CHECK(created(grown, {lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "SHARD_END"), lease_at("D", "5")}) == "");
  CHECK(created(grown, {lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "5"), lease_at("D", "SHARD_END")}) == "");
  CHECK(created(grown, {lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "SHARD_END"), lease_at("D", "SHARD_END")}) ==
        "E@TRIM_HORIZON");
  CHECK(created(grown, {lease_at("A", "SHARD_END"), lease_at("D", "5")}, lease_checkpoint::at_timestamp()) ==
        "B@AT_TIMESTAMP C@AT_TIMESTAMP");
}

TEST_CASE("a finished parent whose lease is gone is not read again", "[kinesis][lease]") {
  CHECK(created(grown, {lease_at("B", "5"), lease_at("E", "TRIM_HORIZON")}) == "");
  // A alone is done by its descendant; C has none yet, and is read.
  CHECK(created(grown, {lease_at("B", "5"), lease_at("D", "SHARD_END")}) == "C@TRIM_HORIZON");
}

TEST_CASE("a shard that nobody knew in a table with leases is read from its beginning", "[kinesis][lease]") {
  std::vector<shard> shards{shard_of("A"), shard_of("X", "gone")};
  CHECK(created(shards, {lease_at("A", "5")}, lease_checkpoint::latest()) == "X@TRIM_HORIZON");
  // Its parent's shard is gone, and the lease of it has not ended: first that.
  CHECK(created(shards, {lease_at("A", "5"), lease_at("gone", "7")}) == "");
}

TEST_CASE("a finished lease is erased when all its children have been begun", "[kinesis][lease]") {
  auto const erased = [](std::vector<lease> const& leases) {
    return text_of(compare_leases(grown, leases, lease_checkpoint::trim_horizon()).erase);
  };
  CHECK(erased({lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "TRIM_HORIZON", {"A"})}) == "");
  CHECK(erased({lease_at("A", "SHARD_END"), lease_at("B", "5")}) == "");
  CHECK(erased({lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "6")}) == "A@SHARD_END");
  CHECK(erased({lease_at("A", "SHARD_END"), lease_at("B", "5"), lease_at("C", "SHARD_END"), lease_at("D", "SHARD_END")}) == "A@SHARD_END");
  CHECK(erased({lease_at("A", "9"), lease_at("B", "5"), lease_at("C", "6")}) == "");
  // Without the shards, by what the leases say of each other.
  auto const alone = compare_leases({}, std::vector{lease_at("A", "SHARD_END", {}, {"B"}), lease_at("B", "5")}, {});
  CHECK(text_of(alone.erase) == "A@SHARD_END");
  CHECK(alone.vanished == std::vector<std::string>{"B"});
  CHECK(erased({lease_at("E", "SHARD_END")}) == "");  // of its children nothing is known
}

TEST_CASE("any order of ends and syncs reads each shard once, parents first", "[kinesis][lease]") {
  for (unsigned seed = 0; seed != 200; ++seed) {
    std::vector<lease> leases;
    std::vector<std::string> begun;
    unsigned dice = seed;
    for (unsigned step = 0; step != 60; ++step) {
      auto const changes = compare_leases(grown, leases, lease_checkpoint::trim_horizon());
      for (lease const& l : changes.erase) std::erase_if(leases, [&](lease const& x) { return x.key == l.key; });
      for (lease const& l : changes.create) {
        CHECK(kinesis::parents_have_ended(l, leases));
        begun.push_back(l.key);
        leases.push_back(l);
      }
      dice = dice * 1'103'515'245 + 12'345;
      lease& any = leases[(dice >> 16) % leases.size()];
      any.checkpoint = lease_checkpoint::parse(any.checkpoint.begun() ? "SHARD_END" : "5").value();
    }
    std::ranges::sort(begun);
    CHECK(begun == std::vector<std::string>{"A", "B", "C", "D", "E"});
  }
}

TEST_CASE("a lease of KCL whose parents have not ended may not be read yet", "[kinesis][lease]") {
  lease const child = lease_at("E", "TRIM_HORIZON", {"C", "D"});
  CHECK(kinesis::parents_have_ended(child, {}));
  CHECK_FALSE(kinesis::parents_have_ended(child, std::vector{lease_at("C", "SHARD_END"), lease_at("D", "5")}));
  CHECK(kinesis::parents_have_ended(child, std::vector{lease_at("C", "SHARD_END"), lease_at("B", "5")}));
}
