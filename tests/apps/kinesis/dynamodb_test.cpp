// Tables of DynamoDB as programs see them: leases, and checkpoints of `ticks` and `weir state`.
#include <weir/dynamodb/state_store.hpp>
#include <weir/kinesis/lease_row.hpp>
#include <weir/kinesis/lease_table.hpp>
#include <weir/testing/run.hpp>

#include "apps/kinesis/programs.hpp"
#include "apps/ticks/oracle.hpp"
#include "support/catch.hpp"
#include "support/dynalite.hpp"
#include "support/temporary_folder.hpp"

#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace weir::test;
using Catch::Contains;
using dynamodb::attribute_value;
using dynamodb::item;

namespace {

// Of the program's environment.
dynamodb::client client() { return dynamodb::client(); }

void put(item row) {
  dynamodb::put_request r("app", std::move(row));
  CHECK(testing::run(client().put(std::move(r))).done);
}

kinesis::lease held(std::string shard, std::string owner, std::uint64_t counter, std::string const& checkpoint, std::uint64_t sub = 0) {
  kinesis::lease l;
  l.key = std::move(shard);
  l.owner = std::move(owner);
  l.counter = counter;
  l.checkpoint = *kinesis::lease_checkpoint::parse(checkpoint, sub);
  return l;
}

ending run_state(std::vector<std::string> arguments, std::string const& folder) {
  arguments.insert(arguments.begin(), "state");
  return run_program(program_of("WEIR_BINARY").value(), arguments, folder);
}

std::string const one = "49590338271490256608559692538361571095921575989136588898";

}  // namespace

TEST_CASE("leases shows the rows of a lease table, those of KCL's own that are no leases by their kind") {
  if (!programs_ready()) return;
  auto const server = dynalite();
  if (!server) return;
  aws_environment const env("http://127.0.0.1:1", server->url());
  temporary_folder const folder;
  auto const none = run_tool({"leases", "app"}, folder.path());
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("there is no such table") && Contains("table app"));

  testing::run(kinesis::lease_table(client(), "app").create_if_missing());
  put(write_lease(held("shardId-000000000000", "w-1", 17, "SHARD_END")));
  kinesis::lease child = held("shardId-000000000001", "w-2", 4, one, 3);
  child.parents = {"shardId-000000000000"};
  child.checkpoint_owner = "w-1";
  put(write_lease(child));
  put(write_lease(held("shardId-000000000002", "", 1, "TRIM_HORIZON")));
  item leader;
  leader.emplace("leaseKey", attribute_value::string("Leader"));
  leader.emplace("entityType", attribute_value::string("LEADER"));
  put(leader);
  auto const e = run_tool({"leases", "app"}, folder.path());
  INFO(e.out << e.err);
  CHECK(e.exit_code == 0);
  CHECK(e.out ==
        "SHARD                 OWNER          COUNTER  SWITCHES  CHECKPOINT                                                  PARENTS\n"
        "shardId-000000000000  w-1                 17         0  SHARD_END\n"
        "shardId-000000000001  w-2, from w-1        4         0  " +
            one +
            ".3  shardId-000000000000\n"
            "shardId-000000000002  nobody               1         0  TRIM_HORIZON\n"
            "OTHER ROW  ENTITY TYPE\n"
            "Leader     LEADER\n");
  CHECK_THAT(
      run_tool({"leases", "app", "--json"}, folder.path()).out,
      Contains(R"({"shard":"shardId-000000000001","owner":"w-2","checkpoint_owner":"w-1","counter":4,"owner_switches":0,"checkpoint":")" +
               one + R"(","sub_sequence_number":3,"parents":"shardId-000000000000","children":""})") &&
          Contains(R"({"row":"Leader","entity_type":"LEADER"})"));

  item broken = write_lease(held("shardId-000000000003", "w-1", 1, "LATEST"));
  broken.insert_or_assign("leaseCounter", attribute_value::string("many"));
  put(broken);
  auto const damaged = run_tool({"leases", "app"}, folder.path());
  CHECK(damaged.exit_code == 1);
  CHECK_THAT(damaged.err, Contains("shardId-000000000003 cannot be read: its leaseCounter is no whole number"));
  CHECK_THAT(damaged.out, Contains("shardId-000000000003  DAMAGED\n"));
}

TEST_CASE("ticks keeps its progress in DynamoDB, where weir state finds it") {
  if (!programs_ready()) return;
  auto const server = dynalite();
  if (!server) return;
  aws_environment const env("http://127.0.0.1:1", server->url());
  temporary_folder const folder;
  folder.write("a", R"({"symbol":"A","trade_id":1,"price":"10.0","size":"1","time":60000})"
                    "\n"
                    R"({"symbol":"A","trade_id":2,"price":"11.5","size":"2","time":120000})"
                    "\n");
  std::vector<std::string> const arguments{"--input", "a", "--bars", "b", "--checkpoint", "dynamodb:progress"};
  auto const missing = run_state({"list", "dynamodb:progress"}, folder.path());
  CHECK(missing.exit_code == 1);
  CHECK_THAT(missing.err, Contains("progress"));
  auto const first = run_ticks(arguments, folder.path());
  INFO(first.err);
  CHECK(first.exit_code == 0);
  std::vector<std::string> const bars{"A,120000,11.5,11.5,11.5,11.5,2,1", "A,60000,10.0,10.0,10.0,10.0,1,1"};
  CHECK(ticks::test::bars_in(folder.file("b")) == bars);
  auto const again = run_ticks(arguments, folder.path());
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.out, Contains("nothing was left to do"));

  auto const listed = run_state({"list", "dynamodb:progress", "--json"}, folder.path());
  INFO(listed.out << listed.err);
  CHECK(listed.exit_code == 0);
  CHECK_THAT(listed.out, Contains(R"("pipeline":"ticks/bars )") && Contains(R"("position":"135.2")"));
  CHECK(run_state({"verify", "dynamodb:progress"}, folder.path()).exit_code == 0);
  CHECK(run_state({"erase", "dynamodb:progress", "--yes"}, folder.path()).exit_code == 0);
  CHECK_THAT(run_state({"list", "dynamodb:progress"}, folder.path()).err, Contains("no checkpoints in dynamodb " + server->url()));
}

TEST_CASE("bars are not kept in DynamoDB, and a program says so") {
  if (!programs_ready()) return;
  temporary_folder const folder;
  auto const e = run_ticks({"--count", "10", "--bars", "dynamodb:bars"}, folder.path());
  CHECK(e.exit_code == 1);
  CHECK_THAT(e.err, Contains("results are kept in SQLite or PostgreSQL"));
}
