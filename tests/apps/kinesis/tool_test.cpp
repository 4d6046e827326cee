// `weir kinesis put`, `tail` and `lag` as a user meets them, against a server that verifies signatures.
#include <weir/kinesis/aggregated_record.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/testing/run.hpp>

#include "apps/kinesis/programs.hpp"
#include "support/catch.hpp"
#include "support/kinesis_server.hpp"
#include "support/temporary_folder.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

using namespace weir;
using namespace weir::test;
using Catch::Contains;

namespace {

constexpr instant minute = 60'000'000'000;
constexpr instant noon = 1'795'953'600'000'000'000;  // 2026-11-29T12:00:00Z

std::vector<kinesis_stream::record> records_of(kinesis_server const& server, std::string const& stream) {
  std::vector<kinesis_stream::record> out;
  auto const now = server.stream(stream);
  for (auto const& s : now.shards()) out.insert(out.end(), s.records.begin(), s.records.end());
  return out;
}

void commit(std::string const& file, std::string const& pipeline, std::string const& shard, position const& at) {
  sqlite::state_store store(file);
  checkpoint_head const head(at, noon, 1, "run-1");
  testing::run(store.commit(checkpoint_key(pipeline, "kinesis s", shard), checkpoint_update(head, {})));
}

}  // namespace

TEST_CASE("put makes a record of each line, under the key that is asked for") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("s", 1);
  aws_environment const env(server.url());
  temporary_folder const folder;
  folder.write("in", "{\"k\":\"a\",\"n\":1}\r\n\n{\"n\":2,\"k\":\"\\u0062\"}\n{\"k\":7}");
  auto const e = run_tool({"put", "s", "in", "--key-field", "k"}, folder.path());
  INFO(e.err);
  CHECK(e.exit_code == 0);
  CHECK(e.err == "3 records put into s, 1 blank line passed over\n");
  auto const put = records_of(server, "s");
  REQUIRE(put.size() == 3);
  CHECK(put[0].partition_key == "a");
  CHECK(put[0].data == "{\"k\":\"a\",\"n\":1}");
  CHECK(put[1].partition_key == "b");
  CHECK(put[2].partition_key == "7");

  CHECK(run_tool({"put", "s", "in", "--key", "same"}, folder.path()).exit_code == 0);
  CHECK(run_tool({"put", "s", "in"}, folder.path()).exit_code == 0);
  auto const more = records_of(server, "s");
  REQUIRE(more.size() == 9);
  for (std::size_t i = 3; i != 6; ++i) CHECK(more[i].partition_key == "same");
  CHECK(more[6].partition_key != more[7].partition_key);
}

TEST_CASE("put says which line has no key, and what is in the stream") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("s", 1);
  aws_environment const env(server.url());
  temporary_folder const folder;
  folder.write("in", "{\"k\":\"a\"}\n{\"x\":1}\n{\"k\":\"b\"}\n");
  auto const e = run_tool({"put", "s", "in", "--key-field", "k"}, folder.path());
  CHECK(e.exit_code == 1);
  CHECK(e.err == "weir: cannot put a line (in, line 2): the field \"k\" is missing; correct it; the lines before it are in the stream\n");
  CHECK(records_of(server, "s").size() == 1);
  auto const none = run_tool({"put", "t", "in", "--key", "k"}, folder.path());
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("ResourceNotFoundException") && Contains("stream t") && Contains("of in, none are in the stream"));
}

TEST_CASE("put can put the lines of a key together, and tail takes them apart again") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("s", 1);
  aws_environment const env(server.url());
  temporary_folder const folder;
  folder.write("in", "one\ntwo\nthree\n");
  REQUIRE(run_tool({"put", "s", "in", "--key", "k", "--aggregate"}, folder.path()).exit_code == 0);
  auto const put = records_of(server, "s");
  REQUIRE(put.size() == 1);
  auto const inner = kinesis::read_aggregated(put[0].data);
  REQUIRE(inner);
  CHECK(inner->size() == 3);
  auto const e = run_tool({"tail", "s", "--since", "trim_horizon", "-n", "3"}, folder.path());
  CHECK(e.exit_code == 0);
  CHECK(e.out == "one\ntwo\nthree\n");
}

TEST_CASE("tail shows records of all shards, of one, as text and as JSON") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("s", 2);
  std::string const number = server.put("s", "a", "\xff binary");
  for (int i = 0; i != 20; ++i) server.put("s", "key " + std::to_string(i), "text");
  aws_environment const env(server.url());
  temporary_folder const folder;
  auto const all = run_tool({"tail", "s", "--since", "trim_horizon", "-n", "21", "--json"}, folder.path());
  INFO(all.out << all.err);
  CHECK(all.exit_code == 0);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 21);
  CHECK_THAT(all.out, Contains(R"("sequence_number":")" + number + R"(","sub_sequence_number":0,"arrival":")") &&
                          Contains(R"(","partition_key":"a","data_hex":"ff2062696e617279"})"));
  CHECK_THAT(all.out, Contains(R"({"shard":"shardId-000000000000",)") && Contains(R"({"shard":"shardId-000000000001",)"));

  auto const one = run_tool({"tail", "s", "--since", "1d", "-n", "1", "--json", "--shard", "shardId-000000000001"}, folder.path());
  INFO(one.err);
  CHECK_THAT(one.out, Catch::StartsWith(R"({"shard":"shardId-000000000001",)"));
  auto const other = run_tool({"tail", "s", "--shard", "shardId-000000000009"}, folder.path());
  CHECK(other.exit_code == 1);
  CHECK_THAT(other.err, Contains("the stream has none of this id") && Contains("weir kinesis lag shows its shards"));
  auto const gone = run_tool({"tail", "t"}, folder.path());
  CHECK(gone.exit_code == 1);
  CHECK_THAT(gone.err, Contains("ResourceNotFoundException"));
}

TEST_CASE("tail of a shard that others came of reads it at once, and what came of it is read by itself") {
  if (!programs_ready()) return;
  kinesis_server server(by_the_clock());
  server.create("s", 1);
  server.put("s", "a", "parent");
  server.split("s", "shardId-000000000000");
  server.put("s", "a", "child");
  std::string const child = server.stream("s").at("shardId-000000000001").records.empty() ? "shardId-000000000002" : "shardId-000000000001";
  aws_environment const env(server.url());
  temporary_folder const folder;
  CHECK(run_tool({"tail", "s", "--since", "trim_horizon", "-n", "1", "--shard", child}, folder.path()).out == "child\n");
  CHECK(run_tool({"tail", "s", "--since", "trim_horizon", "-n", "2"}, folder.path()).out == "parent\nchild\n");
}

// One shard: records at noon, 12:01, 12:03; another one is done to its end, its child has one of 12:03.
TEST_CASE("lag says how far the newest record is ahead of the next one, by checkpoints") {
  if (!programs_ready()) return;
  std::atomic<instant> now = noon;
  kinesis_server::options how = by_the_clock();
  how.clock = [&] { return now.load(); };
  kinesis_server server(how);
  server.create("s", 1);
  std::string const first = server.put("s", "a", "1");
  now += minute;
  server.put("s", "a", "2");
  now += 2 * minute;
  server.put("s", "a", "3");
  now = to_instant(std::chrono::system_clock::now());  // by which requests are signed
  aws_environment const env(server.url());
  temporary_folder const folder;
  auto const begun = run_tool({"lag", "s"}, folder.path());
  INFO(begun.out << begun.err);
  CHECK(begun.exit_code == 0);
  CHECK_THAT(begun.out, Catch::StartsWith("SHARD                 STATE  BEHIND  WAITING  CHECKPOINT\nshardId-000000000000  open   ") &&
                            Contains("3m 0s") && Contains("  none\n"));
  commit(folder.file("c"), "p", "shardId-000000000000", *kinesis::position_of(first));
  auto const behind = run_tool({"lag", "s", "--checkpoints", "c", "--json"}, folder.path());
  INFO(behind.err);
  CHECK_THAT(behind.out, Catch::StartsWith(R"({"shard":"shardId-000000000000","open":true,"behind_ms":120000,"waiting_ms":)") &&
                             Catch::EndsWith(R"(,"checkpoint":")" + first + "\"}\n"));
  commit(folder.file("d"), "p", "shardId-000000000000", kinesis::shard_end);
  CHECK(run_tool({"lag", "s", "--checkpoints", "d", "--json"}, folder.path()).out ==
        R"({"shard":"shardId-000000000000","open":true,"behind_ms":0,"waiting_ms":null,"checkpoint":"SHARD_END"})"
        "\n");
  commit(folder.file("c"), "q", "shardId-000000000000", *kinesis::position_of(first));
  auto const two = run_tool({"lag", "s", "--checkpoints", "c"}, folder.path());
  CHECK(two.exit_code == 1);
  CHECK_THAT(two.err, Contains("several pipelines read it: p, q") && Contains("--pipeline"));
  CHECK(run_tool({"lag", "s", "--checkpoints", "c", "--pipeline", "q"}, folder.path()).exit_code == 0);
}
