// The client and the producer against emulators of Kinesis that are not ours.
#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/producer.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/kinesis_emulators.hpp"
#include "support/kinesis_server.hpp"

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::outgoing_record;
using kinesis::starting_position;
using texts = std::vector<std::string>;

namespace {

kinesis::client_options at(test::node_server const& server) {
  kinesis::client_options o = test::kinesis_server().client_options();
  o.where.url = server.url();
  return o;
}

// The clock is virtual, but the emulator's is not: looks until the stream is active.
void wait_for(kinesis::client const& c, std::string const& stream) {
  for (int i = 0; i != 500; ++i)
    if (testing::run(c.describe_stream_summary(stream)).status == kinesis::stream_status::active) return;
  FAIL("the stream does not become active");
}

// All of a shard, in order. Ends where the shard does, or at its tip.
kinesis::record_batch read_all(kinesis::client const& c, std::string const& stream, std::string const& shard, texts& data) {
  std::string iterator = testing::run(c.get_shard_iterator(stream, shard, starting_position::trim_horizon()));
  for (;;) {
    kinesis::record_batch b = testing::run(c.get_records(iterator, 100));
    for (auto const& r : b.records) data.emplace_back(r.data);
    if (b.next_iterator.empty() || b.records.empty()) return b;
    iterator = b.next_iterator;
  }
}

std::error_code code_of(kinesis::client const& c, task<> (*what)(kinesis::client)) {
  try {
    testing::run(what(c));
  } catch (error const& e) {
    INFO(e.what());
    return e.code();
  }
  return {};
}

void check_common(kinesis::client const& c, kinesis::client_options const& options) {
  testing::run(c.create_stream("ticks", 2));
  wait_for(c, "ticks");
  auto const summary = testing::run(c.describe_stream_summary("ticks"));
  CHECK(summary.name == "ticks");
  CHECK(summary.open_shards == 2);
  CHECK(summary.retention == 24h);
  auto const shards = testing::run(c.list_shards("ticks", {}, 1));
  REQUIRE(shards.size() == 2);
  CHECK(shards[0].keys.first == kinesis::hash_key());
  CHECK(shards[1].keys.last == kinesis::hash_key::last());
  CHECK_FALSE(shards[0].closed);

  std::string every_byte;
  for (int b = 0; b != 256; ++b) every_byte += static_cast<char>(b);
  auto const put = testing::run(c.put_record("ticks", {"\xc3\xa4\"\\\n", every_byte, kinesis::hash_key()}));
  CHECK(put.shard_id == shards[0].id);
  std::string const iterator = testing::run(c.get_shard_iterator("ticks", put.shard_id, starting_position::at(put.sequence_number)));
  auto const batch = testing::run(c.get_records(iterator));
  REQUIRE(batch.records.size() == 1);
  CHECK(batch.records[0].data == every_byte);
  CHECK(batch.records[0].partition_key == "\xc3\xa4\"\\\n");
  CHECK(kinesis::sequence_number_of(batch.records[0].position) == put.sequence_number);
  CHECK_FALSE(batch.next_iterator.empty());
  for (auto from : {starting_position::after(put.sequence_number), starting_position::latest()}) {
    std::string const behind = testing::run(c.get_shard_iterator("ticks", put.shard_id, std::move(from)));
    CHECK(testing::run(c.get_records(behind)).records.empty());
  }

  kinesis::producer_options o;
  o.stream = "ticks";
  o.client = options;
  std::vector<outgoing_record> records;
  for (int i = 0; i != 600; ++i) records.emplace_back("key " + std::to_string(i % 10), std::to_string(i));
  testing::run(kinesis::producer(o).put(std::move(records)));
  std::size_t count = 0;
  for (auto const& s : shards) {
    texts data;
    read_all(c, "ticks", s.id, data);
    count += data.size();
  }
  CHECK(count == 601);

  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.create_stream("ticks", 1); }) == kinesis::errc::resource_in_use);
  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.describe_stream_summary("other"); }) == errc::not_found);
  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.put_record("other", outgoing_record("k", "x")); }) == errc::not_found);
  CHECK(code_of(c, [](kinesis::client k) -> task<> {
          co_await k.get_shard_iterator("ticks", "shardId-000000000099", starting_position::latest());
        }) == errc::not_found);
  CHECK(code_of(c, [](kinesis::client k) -> task<> {
          co_await k.put_record("ticks", outgoing_record("k", std::string(1'048'577, 'x')));
        }) == kinesis::errc::invalid_argument);

  testing::run(c.split_shard("ticks", shards[0].id, kinesis::hash_key(1, 0)));
  wait_for(c, "ticks");
  auto const after = testing::run(c.list_shards("ticks"));
  REQUIRE(after.size() == 4);
  CHECK(after[0].closed);
  CHECK(after[2].parent == shards[0].id);
  CHECK(after[2].keys.last == kinesis::hash_key(0, ~std::uint64_t{0}));
}

}  // namespace

TEST_CASE("kinesalite understands the client", "[kinesis][peer]") {
  auto const server = test::kinesalite();
  if (!server) return;
  kinesis::client const c(at(*server));
  check_common(c, at(*server));
  // It ends a closed shard by having no iterator for it, and says nothing of its children; the first read still has one.
  std::string iterator = testing::run(c.get_shard_iterator("ticks", "shardId-000000000000", starting_position::trim_horizon()));
  for (int i = 0; i != 10 && !iterator.empty(); ++i) iterator = testing::run(c.get_records(iterator)).next_iterator;
  CHECK(iterator.empty());
  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.get_records("no iterator"); }) == kinesis::errc::invalid_argument);
  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.update_shard_count("ticks", 4); }) == kinesis::errc::unknown_operation);
  testing::run(c.delete_stream("ticks"));
}

TEST_CASE("kinesis-mock understands the client", "[kinesis][peer]") {
  auto const server = test::kinesis_mock();
  if (!server) return;
  kinesis::client const c(at(*server));
  check_common(c, at(*server));
  texts data;
  auto const end = read_all(c, "ticks", "shardId-000000000000", data);
  CHECK(end.next_iterator.empty());
  CHECK(end.children.size() == 2);
  testing::run(c.merge_shards("ticks", "shardId-000000000002", "shardId-000000000003"));
  wait_for(c, "ticks");
  texts none;
  auto const merged = read_all(c, "ticks", "shardId-000000000003", none);
  REQUIRE(merged.children.size() == 1);
  CHECK(merged.children[0].parents.size() == 2);
  testing::run(c.update_shard_count("ticks", 4));
  wait_for(c, "ticks");
  CHECK(testing::run(c.list_shards("ticks", kinesis::shard_filter::at_latest())).size() == 4);
  // Where the service says what is wrong, it answers 500 without a body.
  CHECK(code_of(c, [](kinesis::client k) -> task<> { co_await k.get_records("no iterator"); }) == errc::unavailable);
  testing::run(c.delete_stream("ticks"));
}
