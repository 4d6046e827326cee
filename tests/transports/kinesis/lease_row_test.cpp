// The rows of KCL's lease table, attribute by attribute, as KCL's DynamoDBLeaseSerializer writes and reads them.
#include <weir/kinesis/lease_row.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using dynamodb::attribute_value;
using dynamodb::item;
using kinesis::hash_key;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::lease_row_fault;
using kinesis::read_lease;
using kinesis::write_lease;

namespace {

std::string const number = "49590338271490256608559692538361571095921575989136588898";

attribute_value s(std::string text) { return attribute_value::string(std::move(text)); }
attribute_value n(std::string digits) { return attribute_value::number(std::move(digits)); }

// What every version of KCL writes for a lease.
item bare_row() {
  return {{"leaseKey", s("shardId-000000000001")},
          {"leaseCounter", n("42")},
          {"ownerSwitchesSinceCheckpoint", n("3")},
          {"checkpoint", s(number)},
          {"checkpointSubSequenceNumber", n("7")}};
}
item with(item row, std::string const& name, attribute_value v) {
  row.insert_or_assign(name, std::move(v));
  return row;
}
lease bare_lease() {
  lease l;
  l.key = "shardId-000000000001";
  l.counter = 42;
  l.owner_switches = 3;
  l.checkpoint = lease_checkpoint::parse(number, 7).value();
  return l;
}
lease changed(std::function<void(lease&)> const& how) {
  lease l = bare_lease();
  how(l);
  return l;
}

}  // namespace

TEST_CASE("each attribute of KCL's lease is read and written as KCL does", "[kinesis][lease]") {
  std::vector<std::pair<item, lease>> const all{
      {bare_row(), bare_lease()},
      {with(bare_row(), "leaseOwner", s("worker-1")), changed([](lease& l) { l.owner = "worker-1"; })},
      {with(bare_row(), "parentShardId", attribute_value::string_set({"shardId-0", "shardId-9"})),
       changed([](lease& l) { l.parents = {"shardId-0", "shardId-9"}; })},
      {with(bare_row(), "childShardIds", attribute_value::string_set({"shardId-2"})),
       changed([](lease& l) { l.children = {"shardId-2"}; })},
      {with(with(bare_row(), "pendingCheckpoint", s(number)), "pendingCheckpointSubSequenceNumber", n("8")),
       changed([](lease& l) { l.pending = lease_checkpoint::parse(number, 8); })},
      {with(bare_row(), "pendingCheckpointState", attribute_value::binary({std::byte(1), std::byte(0)})),
       changed([](lease& l) { l.pending_state = {std::byte(1), std::byte(0)}; })},
      {with(with(bare_row(), "startingHashKey", s("0")), "endingHashKey", s("170141183460469231731687303715884105727")),
       changed([](lease& l) { l.keys = kinesis::hash_key_range{hash_key(), hash_key(~std::uint64_t{0} >> 1, ~std::uint64_t{0})}; })},
      {with(bare_row(), "throughputKBps", n("12.5")), changed([](lease& l) { l.throughput_kbps = "12.5"; })},
      {with(bare_row(), "checkpointOwner", s("worker-0")), changed([](lease& l) { l.checkpoint_owner = "worker-0"; })},
      {with(bare_row(), "checkpoint", s("SHARD_END")),
       changed([](lease& l) { l.checkpoint = lease_checkpoint::parse("SHARD_END", 7).value(); })},
      // Of a table with several streams, and of versions to come: kept as they are.
      {with(bare_row(), "streamName", s("123456789012:ticks:1")),
       changed([](lease& l) { l.others = {{"streamName", s("123456789012:ticks:1")}}; })},
      {with(bare_row(), "entityType", s("LEASE")), changed([](lease& l) { l.others = {{"entityType", s("LEASE")}}; })},
      // KCL 2 has written a number in the place of the state.
      {with(bare_row(), "pendingCheckpointState", n("8")), changed([](lease& l) { l.others = {{"pendingCheckpointState", n("8")}}; })},
  };
  for (auto const& [row, expected] : all) {
    INFO(row.size() << " attributes, the last " << row.rbegin()->first);
    auto const read = read_lease(row);
    REQUIRE(read.has_value());
    CHECK((*read == expected));
    CHECK((write_lease(expected) == row));
  }
}

TEST_CASE("a row of KCL 1 is a lease, though it lacks what came later", "[kinesis][lease]") {
  item row{{"leaseKey", s("shardId-000000000000")},
           {"leaseOwner", s("a")},
           {"leaseCounter", n("1")},
           {"ownerSwitchesSinceCheckpoint", n("0")},
           {"checkpoint", s("TRIM_HORIZON")},
           {"checkpointSubSequenceNumber", n("0")},
           {"parentShardId", attribute_value::string_set({"shardId-000000000009"})}};
  auto const read = read_lease(row);
  REQUIRE(read.has_value());
  CHECK(read->keys == std::nullopt);
  CHECK(read->children.empty());
  CHECK(read->checkpoint == lease_checkpoint::trim_horizon());
  CHECK((write_lease(*read) == row));
}

TEST_CASE("a lease that nobody has and that stands at the beginning is the row that KCL makes for a shard", "[kinesis][lease]") {
  lease l;
  l.key = "shardId-000000000000";
  CHECK((write_lease(l) == item{{"leaseKey", s("shardId-000000000000")},
                                {"leaseCounter", n("0")},
                                {"ownerSwitchesSinceCheckpoint", n("0")},
                                {"checkpoint", s("TRIM_HORIZON")},
                                {"checkpointSubSequenceNumber", n("0")}}));
}

TEST_CASE("what KCL 3.5 keeps beside leases is told apart, and leases that are damaged are faults", "[kinesis][lease]") {
  for (char const* const type : {"STREAM", "LEADER", "CLIENT_VERSION_MIGRATION", "TABLE_MIGRATION", "WORKER_METRIC_STATS"})
    CHECK(read_lease({{"leaseKey", s("x")}, {"entityType", s(type)}}).error() == lease_row_fault::other_entity);
  auto const fault = [](item const& row) { return read_lease(row).error(); };
  auto without = [](std::string const& name) {
    item row = bare_row();
    row.erase(name);
    return row;
  };
  CHECK(fault(without("leaseKey")) == lease_row_fault::no_key);
  CHECK(fault(without("leaseCounter")) == lease_row_fault::bad_counter);
  CHECK(fault(with(bare_row(), "leaseCounter", n("-1"))) == lease_row_fault::bad_counter);
  CHECK(fault(with(bare_row(), "leaseCounter", s("1"))) == lease_row_fault::bad_counter);
  CHECK(fault(without("checkpoint")) == lease_row_fault::bad_checkpoint);
  CHECK(fault(with(bare_row(), "checkpoint", s("soon"))) == lease_row_fault::bad_checkpoint);
  CHECK(fault(with(bare_row(), "checkpointSubSequenceNumber", s("x"))) == lease_row_fault::bad_checkpoint);
  CHECK(fault(with(bare_row(), "pendingCheckpoint", s("soon"))) == lease_row_fault::bad_checkpoint);
  CHECK(fault(with(bare_row(), "startingHashKey", s("0"))) == lease_row_fault::bad_hash_range);
  CHECK(fault(with(with(bare_row(), "startingHashKey", s("2")), "endingHashKey", s("1"))) == lease_row_fault::bad_hash_range);
  CHECK(fault(with(bare_row(), "leaseOwner", n("1"))) == lease_row_fault::wrong_type);
  CHECK(fault(with(bare_row(), "parentShardId", s("shardId-0"))) == lease_row_fault::wrong_type);
  test::fails_with(errc::corrupt, [&] { read_lease(without("leaseKey")).value(); }, "it has no leaseKey");
}

TEST_CASE("checkpoints are ordered as they move: words, numbers as numbers, the end", "[kinesis][lease]") {
  auto const at = [](std::string const& text, std::uint64_t sub = 0) { return lease_checkpoint::parse(text, sub).value(); };
  std::vector<lease_checkpoint> const rising{at("AT_TIMESTAMP"), at("TRIM_HORIZON"), at("LATEST"),  at("9"),        at("10"),
                                             at("10", 2),        at(number),         at(number, 1), at("SHARD_END")};
  for (std::size_t i = 0; i != rising.size(); ++i)
    for (std::size_t j = 0; j != rising.size(); ++j) {
      INFO(rising[i].text() << " and " << rising[j].text());
      CHECK((rising[i] < rising[j]) == (i < j));
      CHECK((rising[i] == rising[j]) == (i == j));
    }
  CHECK_FALSE(at("LATEST").begun());
  CHECK(at("9").begun());
  CHECK(at("SHARD_END").begun());
  CHECK(lease_checkpoint::parse("") == std::nullopt);
  CHECK(lease_checkpoint::parse("-1") == std::nullopt);
  CHECK(lease_checkpoint::parse("trim_horizon") == std::nullopt);
}
