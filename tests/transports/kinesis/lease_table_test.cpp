// Leases in dynalite, an emulator of DynamoDB that is not ours; what is there is also looked at, and written, without the product's rows.
#include <weir/kinesis/lease_table.hpp>
#include <weir/kinesis/lease_worker.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/dynalite.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using dynamodb::attribute_value;
using dynamodb::item;
using kinesis::lease;
using kinesis::lease_checkpoint;
using kinesis::lease_table;
using kinesis::lease_worker;
using kinesis::lease_write;
using kinesis::lease_write_kind;

namespace {

dynamodb::client client_of(test::node_server const& server) {
  dynamodb::client_options o;
  o.where.region = "eu-west-1";
  o.where.url = server.url();
  o.from = [](std::string const& name) -> std::optional<std::string> {
    if (name == "AWS_ACCESS_KEY_ID" || name == "AWS_SECRET_ACCESS_KEY") return "test";
    return std::nullopt;
  };
  return dynamodb::client(o);
}
attribute_value s(std::string text) { return attribute_value::string(std::move(text)); }
attribute_value n(std::string digits) { return attribute_value::number(std::move(digits)); }
item key_of(std::string const& key) { return {{"leaseKey", s(key)}}; }

// A row as KCL 3.5 leaves it.
item row_of_kcl(std::string const& key, std::string const& owner) {
  return {{"leaseKey", s(key)},
          {"leaseOwner", s(owner)},
          {"leaseCounter", n("41")},
          {"ownerSwitchesSinceCheckpoint", n("0")},
          {"checkpoint", s("49590338271490256608559692538361571095921575989136588898")},
          {"checkpointSubSequenceNumber", n("0")},
          {"pendingCheckpoint", s("49590338271490256608559692538361571095921575989136588899")},
          {"pendingCheckpointSubSequenceNumber", n("0")},
          {"startingHashKey", s("0")},
          {"endingHashKey", s("340282366920938463463374607431768211455")},
          {"throughputKBps", n("17.25")},
          {"aNewAttribute", s("of a later version")}};
}

void put_raw(dynamodb::client const& c, item row) { CHECK(testing::run(c.put(dynamodb::put_request("app", std::move(row)))).done); }

}  // namespace

TEST_CASE("a lease table of KCL is taken over, and what KCL keeps beside leases is left alone", "[kinesis][lease][peer]") {
  auto const server = test::dynalite();
  if (!server) return;
  dynamodb::client const raw = client_of(*server);
  lease_table const table(raw, "app");
  testing::run(table.create_if_missing());
  testing::run(table.create_if_missing());
  put_raw(raw, row_of_kcl("shardId-000000000000", "kcl-1"));
  item const leader{{"leaseKey", s("Leader")}, {"entityType", s("LEADER")}, {"ownerName", s("kcl-1")}};
  put_raw(raw, leader);

  lease_worker worker("weir-1", {}, 1);
  auto const look = [&](std::chrono::nanoseconds now) {
    auto scan = testing::run(table.scan());
    CHECK(scan.leases.size() == 1);
    CHECK(scan.others == 1);
    worker.saw(std::move(scan.leases), now, now);
  };
  auto const work = [&](std::chrono::nanoseconds now) {
    for (lease_write const& w : worker.due(now)) {
      auto const result = testing::run(table.write(w));
      if (result.done) worker.done(w, now);
      else worker.refused(w, result.stored, now);
    }
  };
  look(0s);
  work(0s);
  CHECK(worker.held() == 0);
  look(10s);  // nobody has renewed it
  work(10s);
  CHECK(worker.held() == 1);
  item expected = row_of_kcl("shardId-000000000000", "weir-1");
  expected["leaseCounter"] = n("42");
  expected["ownerSwitchesSinceCheckpoint"] = n("1");
  CHECK((testing::run(raw.get("app", key_of("shardId-000000000000"))) == expected));

  worker.checkpoint("shardId-000000000000", lease_checkpoint::parse("49590338271490256608559692538361571095921575989136588900", 3).value());
  work(11s);
  expected["leaseCounter"] = n("43");
  expected["ownerSwitchesSinceCheckpoint"] = n("0");
  expected["checkpoint"] = s("49590338271490256608559692538361571095921575989136588900");
  expected["checkpointSubSequenceNumber"] = n("3");
  expected.erase("pendingCheckpoint");
  expected.erase("pendingCheckpointSubSequenceNumber");
  CHECK((testing::run(raw.get("app", key_of("shardId-000000000000"))) == expected));

  worker.checkpoint("shardId-000000000000", lease_checkpoint::shard_end(), {"shardId-000000000001", "shardId-000000000002"});
  work(12s);
  expected["leaseCounter"] = n("44");
  expected["checkpoint"] = s("SHARD_END");
  expected["checkpointSubSequenceNumber"] = n("0");
  expected["childShardIds"] = attribute_value::string_set({"shardId-000000000001", "shardId-000000000002"});
  CHECK((testing::run(raw.get("app", key_of("shardId-000000000000"))) == expected));
  CHECK((testing::run(raw.get("app", key_of("Leader"))) == leader));
}

TEST_CASE("each write of a lease has its condition in DynamoDB, and says what is there when it does not hold", "[kinesis][lease][peer]") {
  auto const server = test::dynalite();
  if (!server) return;
  dynamodb::client const raw = client_of(*server);
  lease_table const table(raw, "app");
  testing::run(table.create_if_missing());
  auto const write = [&](lease_write const& w) { return testing::run(table.write(w)); };
  // Done once; the same again builds on a counter that is gone.
  auto const once = [&](lease_write const& w) {
    INFO("write " << static_cast<int>(w.what()));
    CHECK(write(w).done);
    auto const again = write(w);
    CHECK_FALSE(again.done);
    REQUIRE(again.stored);
    CHECK((*again.stored == w.after()));
    return *again.stored;
  };
  lease l;
  l.key = "s";
  lease now = once(lease_write(lease_write_kind::create, l, "a"));
  now = once(lease_write(lease_write_kind::take, now, "a"));
  CHECK(now.owner == "a");
  CHECK_FALSE(write(lease_write(lease_write_kind::renew, now, "b")).done);
  CHECK_FALSE(write(lease_write::checkpoint(now, "b", lease_checkpoint::shard_end())).done);
  now = once(lease_write(lease_write_kind::renew, now, "a"));
  now = once(lease_write(lease_write_kind::ask_for, now, "b"));
  CHECK(now.owner == "b");
  CHECK(now.checkpoint_owner == "a");
  CHECK_FALSE(write(lease_write(lease_write_kind::renew, now, "b")).done);
  CHECK_FALSE(write(lease_write(lease_write_kind::hand_over, now, "b")).done);
  now = once(lease_write(lease_write_kind::renew, now, "a"));
  now = once(lease_write::checkpoint(now, "a", lease_checkpoint::parse("17").value()));
  lease const asked = now;
  now = once(lease_write(lease_write_kind::hand_over, now, "a"));
  CHECK(now.checkpoint_owner == "");
  CHECK_FALSE(write(lease_write(lease_write_kind::evict, asked, "b")).done);
  now = once(lease_write(lease_write_kind::ask_for, now, "c"));
  now = once(lease_write(lease_write_kind::evict, now, "c"));
  CHECK_FALSE(write(lease_write(lease_write_kind::let_go, now, "b")).done);
  now = once(lease_write(lease_write_kind::let_go, now, "c"));
  CHECK(now.owner == "");
  CHECK_FALSE(write(lease_write(lease_write_kind::erase, now, "c")).done);  // it is not at its end
  now = once(lease_write(lease_write_kind::take, now, "c"));
  now = once(lease_write::checkpoint(now, "c", lease_checkpoint::shard_end(), {"t"}));
  CHECK(write(lease_write(lease_write_kind::erase, now, "c")).done);
  auto const gone = write(lease_write(lease_write_kind::renew, now, "c"));
  CHECK_FALSE(gone.done);
  CHECK(gone.stored == std::nullopt);
  CHECK(testing::run(raw.get("app", key_of("s"))) == std::nullopt);  // and no write made it anew
}

TEST_CASE("a table that is not for leases, and a lease that is damaged, are said to be so", "[kinesis][lease][peer]") {
  auto const server = test::dynalite();
  if (!server) return;
  dynamodb::client const raw = client_of(*server);
  testing::run(raw.create_table(dynamodb::table_definition("other", dynamodb::key_attribute("id"))));
  test::fails_with(
      errc::incompatible, [&] { testing::run(lease_table(raw, "other").create_if_missing()); }, "its key is not leaseKey", "table other");
  lease_table const table(raw, "app");
  test::fails_with(errc::not_found, [&] { testing::run(table.scan()); }, "table app");
  testing::run(table.create_if_missing());
  put_raw(raw, {{"leaseKey", s("shardId-7")}, {"leaseCounter", s("x")}});
  test::fails_with(errc::corrupt, [&] { testing::run(table.scan()); }, "leaseCounter", "shardId-7", "table app");
}

TEST_CASE("a table of more leases than a page has is read whole", "[kinesis][lease][peer]") {
  auto const server = test::dynalite();
  if (!server) return;
  dynamodb::client const raw = client_of(*server);
  lease_table const table(raw, "app");
  testing::run(table.create_if_missing());
  std::vector<dynamodb::batch_write> rows;
  for (int i = 0; i != 30; ++i) {
    item row = row_of_kcl("shardId-" + std::to_string(i), "kcl");
    row["aNewAttribute"] = s(std::string(100'000, 'x'));
    rows.push_back(dynamodb::batch_write::put(row));
  }
  testing::run(raw.write_all("app", rows));
  CHECK(testing::run(table.scan()).leases.size() == 30);
}
