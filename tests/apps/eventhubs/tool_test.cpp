// `weir eventhubs` as a user meets it, against a broker that is not ours, and azurite.
#include <weir/azure/blob_container.hpp>
#include <weir/azure/blob_container_options.hpp>
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/sqlite/state_store.hpp>
#include <weir/testing/run.hpp>

#include "support/azurite.hpp"
#include "support/catch.hpp"
#include "support/hub_broker.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/variables.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using Catch::Contains;
using test::ending;
using test::hub_broker;
using test::temporary_folder;

namespace {

// `weir eventhubs ...`; null where there is no such program, and the test is skipped.
bool tool_ready() { return test::program_of("WEIR_BINARY") || !test::skip("WEIR_BINARY names no program"); }
ending run_tool(std::vector<std::string> words, std::string const& folder, std::string const& connection) {
  test::variables const env({{"EVENTHUB_CONNECTION_STRING", connection}});
  words.insert(words.begin(), "eventhubs");
  return test::run_program(test::program_of("WEIR_BINARY").value(), words, folder);
}

void commit(std::string const& file, std::string const& partition, position const& at) {
  sqlite::state_store store(file);
  checkpoint_head const head(at, 1'700'000'000'000'000'000, 1, "run-1");
  testing::run(store.commit(checkpoint_key("bars", "eventhubs ticks", partition), checkpoint_update(head, {})));
}

}  // namespace

TEST_CASE("partitions and tail show what is in an event hub") {
  if (!tool_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  broker->fill(1, 3);
  broker->fill(2, 1);
  temporary_folder const folder;
  std::string const to = broker->connection_string();
  auto const all = run_tool({"partitions", "ticks"}, folder.path(), to);
  INFO(all.out << all.err);
  CHECK(all.exit_code == 0);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 5);
  CHECK_THAT(all.out,
             Contains("PARTITION  FIRST  LAST  OFFSET  ENQUEUED\n0              -     -  -       -") && Contains("1              0     2"));
  auto const one = run_tool({"partitions", "ticks", "--partition", "2", "--json"}, folder.path(), to);
  CHECK_THAT(one.out,
             Catch::StartsWith(R"({"partition":"2","empty":false,"first_sequence_number":0,"last_sequence_number":0,"last_offset":")"));
  CHECK(std::count(one.out.begin(), one.out.end(), '\n') == 1);

  CHECK(run_tool({"tail", "ticks", "--since", "earliest", "-n", "4"}, folder.path(), to).out == "aaaaa\naaaaa\naaaaa\naaaaa\n");
  auto const json = run_tool({"tail", "ticks", "--since", "1h", "-n", "2", "--partition", "1", "--json"}, folder.path(), to);
  INFO(json.err);
  CHECK(json.exit_code == 0);
  CHECK_THAT(json.out, Catch::StartsWith(R"({"partition":"1","sequence_number":0,"offset":")") && Contains(R"("body":"aaaaa"})") &&
                           Contains(R"({"partition":"1","sequence_number":1,)"));
}

TEST_CASE("send makes an event of each line, where it is told to") {
  if (!tool_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  temporary_folder const folder;
  std::string const to = broker->connection_string();
  folder.write("ticks.ndjson", "{\"s\":\"A\",\"n\":1}\n\n{\"s\":\"B\",\"n\":2}\n{\"s\":\"A\",\"n\":3}\n");
  std::string const file = folder.file("ticks.ndjson");
  auto const one = run_tool({"send", "ticks", file, "--partition", "2"}, folder.path(), to);
  INFO(one.err);
  CHECK(one.exit_code == 0);
  CHECK(one.err == "3 events sent to ticks, 1 blank line passed over\n");
  auto const tail = [&](std::string const& partition, std::string const& n) {
    return run_tool({"tail", "ticks", "--since", "earliest", "--partition", partition, "-n", n, "--json"}, folder.path(), to).out;
  };
  std::string const got = tail("2", "3");
  CHECK_THAT(got, Contains(R"("sequence_number":0,)") && Contains(R"("sequence_number":2,)") && !Contains(R"("partition_key":"A")"));
  CHECK(run_tool({"send", "ticks", file, "--key-field", "s"}, folder.path(), to).exit_code == 0);
  auto const keyed_ones = run_tool({"tail", "ticks", "--since", "earliest", "-n", "6", "--json"}, folder.path(), to).out;
  CHECK_THAT(keyed_ones, Contains(R"("partition_key":"A","body":"{\"s\":\"A\",\"n\":1}"})") && Contains(R"("partition_key":"B","body":)"));

  folder.write("bad.ndjson", "{\"s\":\"A\"}\n{\"t\":1}\n");
  auto const bad = run_tool({"send", "ticks", folder.file("bad.ndjson"), "--key-field", "s"}, folder.path(), to);
  CHECK(bad.exit_code == 1);
  CHECK_THAT(bad.err, Contains("weir: cannot send a line (") && Contains("bad.ndjson, line 2") &&
                          Contains("the lines before it are in the event hub"));
  auto const nowhere = run_tool({"send", "ticks", file, "--partition", "9"}, folder.path(), to);
  CHECK(nowhere.exit_code == 1);
  CHECK_THAT(nowhere.err, Contains("stream ticks, partition 9") && Contains("amqp:not-found") && Contains("none are in the event hub"));
  auto const both = run_tool({"send", "ticks", file, "--partition", "1", "--key", "k"}, folder.path(), to);
  CHECK(both.exit_code == 2);
}

TEST_CASE("what cannot be reached, or is not there, is said, without the key") {
  if (!tool_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  temporary_folder const folder;
  auto const none = run_tool({"tail", "ticks", "--partition", "9"}, folder.path(), broker->connection_string());
  CHECK(none.exit_code == 1);
  CHECK_THAT(none.err, Contains("(stream ticks, partition 9): the event hub has none of this id; it has 0, 1, 2, 3"));
  std::string wrong = broker->connection_string();
  wrong.replace(wrong.find("c2VjcmV0"), 8, "d3Jvbmc=");
  auto const refused = run_tool({"partitions", "ticks"}, folder.path(), wrong);
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, Contains("weir: event hubs:") && !Contains("d3Jvbmc"));
  auto const unset = run_tool({"partitions", "ticks"}, folder.path(), "");
  CHECK(unset.exit_code == 2);
  CHECK_THAT(unset.err, Contains("--connection-string"));
}

TEST_CASE("lag says how many events are not done, by checkpoints and by blobs; ownership says whose partitions are") {
  if (!tool_ready()) return;
  auto const broker = hub_broker::start();
  if (!broker) return;
  broker->fill(0, 10);
  broker->fill(1, 4);
  temporary_folder const folder;
  std::string const to = broker->connection_string();
  commit(folder.file("bars.sqlite"), "0", position(6));
  commit(folder.file("bars.sqlite"), "1", position(3));
  auto const by_store = run_tool({"lag", "ticks", "--checkpoints", "bars.sqlite", "--json"}, folder.path(), to);
  INFO(by_store.out << by_store.err);
  CHECK(by_store.exit_code == 0);
  CHECK_THAT(by_store.out, Catch::StartsWith(R"({"partition":"0","behind":3,"waiting_ms":)") &&
                               Contains("{\"partition\":\"1\",\"behind\":0,\"waiting_ms\":null,\"checkpoint\":\"3\"}\n"));
  auto const kept = run_tool({"lag", "ticks", "--partition", "1"}, folder.path(), to);
  CHECK_THAT(kept.out, Contains("PARTITION  BEHIND  WAITING  CHECKPOINT\n1               4") && Contains("none\n"));

  auto const storage = test::azurite();
  if (!storage) return;
  std::string const account = std::string("AccountName=") + test::azurite_account + ";AccountKey=" + test::azurite_key +
                              ";BlobEndpoint=" + storage->url() + "/" + test::azurite_account;
  azure::blob_container const box(azure::blob_container_options::from_connection_string(account, "box"));
  eventhubs::group_blobs const names("localhost", "ticks", "$Default");
  eventhubs::stored_checkpoint done;
  done.partition = "0";
  done.offset = "5";
  done.sequence_number = 1;
  REQUIRE(testing::run(eventhubs::checkpoint_blobs(box, names).write(done)).done);
  eventhubs::ownership nobody;
  nobody.partition = "0";
  eventhubs::ownership_write claim(eventhubs::ownership_write_kind::claim, nobody, "worker-a");
  REQUIRE(testing::run(eventhubs::make_ownership_service(box, names)->write(claim)).done);
  test::variables const env({{"AZURE_STORAGE_CONNECTION_STRING", account}});
  auto const by_blobs = run_tool({"lag", "ticks", "--container", "box", "--partition", "0", "--json"}, folder.path(), to);
  INFO(by_blobs.err);
  CHECK_THAT(by_blobs.out, Catch::StartsWith(R"({"partition":"0","behind":8,"waiting_ms":)") && Contains(R"("checkpoint":"1"})"));
  auto const owners = run_tool({"ownership", "ticks", "--container", "box"}, folder.path(), to);
  INFO(owners.err);
  CHECK_THAT(owners.out, Contains("PARTITION  OWNER     RENEWED") && Contains("0          worker-a  ") && Contains(" ago"));
}
