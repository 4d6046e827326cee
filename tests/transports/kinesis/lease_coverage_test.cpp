#include <weir/kinesis/lease_coverage.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace weir;
using kinesis::hash_key;
using kinesis::hash_key_range;
using kinesis::lease;
using kinesis::lease_checkpoint;

namespace {

// As Kinesis gives them for three shards of equal size.
std::string const third = "113427455640312821154458202477256070484";
std::string const behind_third = "113427455640312821154458202477256070485";
std::string const two_thirds = "226854911280625642308916404954512140969";
std::string const behind_two_thirds = "226854911280625642308916404954512140970";
std::string const last = "340282366920938463463374607431768211455";

lease of(std::string const& from, std::string const& to, lease_checkpoint at = {}) {
  lease l;
  l.key = "shardId-" + from;
  l.keys = hash_key_range{hash_key::parse(from).value(), hash_key::parse(to).value()};
  l.checkpoint = std::move(at);
  return l;
}
// "0-17 20-30"
std::string holes(std::vector<lease> const& leases) {
  std::string out;
  for (hash_key_range const& r : kinesis::uncovered_hash_keys(leases))
    out += (out.empty() ? "" : " ") + r.first.text() + '-' + r.last.text();
  return out;
}

}  // namespace

TEST_CASE("leases that have every hash key leave nothing out", "[kinesis][lease]") {
  CHECK(holes({of("0", last)}) == "");
  CHECK(holes({of(behind_two_thirds, last), of("0", third), of(behind_third, two_thirds)}) == "");
  CHECK(holes({of("0", two_thirds), of(behind_third, last)}) == "");
  CHECK(holes({of("0", last), of("5", "9")}) == "");
}

TEST_CASE("keys that no lease has are found", "[kinesis][lease]") {
  CHECK(holes({}) == "0-" + last);
  CHECK(holes({of("0", third), of(behind_two_thirds, last)}) == behind_third + '-' + two_thirds);
  CHECK(holes({of(behind_third, two_thirds)}) == "0-" + third + ' ' + behind_two_thirds + '-' + last);
  CHECK(holes({of("0", "9"), of("11", last)}) == "10-10");
}

TEST_CASE("a lease at its end covers nothing, and one of KCL 1 cannot be counted", "[kinesis][lease]") {
  CHECK(holes({of("0", third, lease_checkpoint::shard_end()), of(behind_third, last)}) == "0-" + third);
  lease old;
  old.key = "shardId-0";
  CHECK(holes({old, of("5", "9")}) == "");
  old.checkpoint = lease_checkpoint::shard_end();
  CHECK(holes({old, of("0", last)}) == "");
}
