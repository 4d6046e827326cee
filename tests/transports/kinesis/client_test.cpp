// Against the tests' own server, which verifies signatures and checks arguments.
#include <weir/error.hpp>
#include <weir/kinesis/client.hpp>
#include <weir/kinesis/errc.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/kinesis_server.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

using namespace weir;
using namespace std::chrono_literals;
using kinesis::outgoing_record;
using kinesis::shard_filter;
using kinesis::starting_position;
using test::kinesis_fault;
using test::kinesis_server;
using texts = std::vector<std::string>;

namespace {

std::string const first_shard = "shardId-000000000000", second_shard = "shardId-000000000001", third_shard = "shardId-000000000002";

template <class Code, class Call> void fails(Code code, Call call, std::vector<std::string> const& parts = {}) {
  try {
    call();
  } catch (error const& e) {
    INFO(e.what());
    CHECK(e.code() == code);
    for (std::string const& part : parts) {
      INFO("should say: " << part);
      CHECK(std::string(e.what()).find(part) != std::string::npos);
    }
    return;
  }
  FAIL("nothing was thrown");
}

texts data_of(kinesis::record_batch const& b) {
  texts out;
  for (auto const& r : b.records) out.emplace_back(r.data);
  return out;
}
texts ids_of(std::vector<kinesis::shard> const& all) {
  texts out;
  for (auto const& s : all) out.push_back(s.id);
  return out;
}
kinesis::record_batch read(kinesis::client const& c, std::string const& shard, starting_position from, std::size_t limit = 10'000) {
  std::string const at = testing::run(c.get_shard_iterator("ticks", shard, std::move(from)));
  return testing::run(c.get_records(at, limit));
}

}  // namespace

TEST_CASE("records that are put are read, with what belongs to them", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 2);
  kinesis::client const client(server.client_options());
  std::string every_byte;
  for (int b = 0; b != 256; ++b) every_byte += static_cast<char>(b);
  std::vector<outgoing_record> const records{{"\"k\\\n\xc3\xa4", every_byte, kinesis::hash_key()}, {"k", "", kinesis::hash_key::last()}};
  auto const results = testing::run(client.put_records("ticks", records));
  REQUIRE(results.size() == 2);
  CHECK(results[0].shard_id == first_shard);
  CHECK(results[1].shard_id == second_shard);
  CHECK_FALSE(results[0].failure);
  auto const one = testing::run(client.put_record("ticks", {"k2", "single", kinesis::hash_key()}));
  CHECK(one.shard_id == first_shard);

  auto const batch = read(client, first_shard, starting_position::trim_horizon());
  REQUIRE(batch.records.size() == 2);
  CHECK(batch.records[0].data == every_byte);
  CHECK(batch.records[0].partition_key == records[0].partition_key);
  CHECK(kinesis::sequence_number_of(batch.records[0].position) == results[0].sequence_number);
  CHECK(batch.records[0].arrival == server.now());
  CHECK(batch.records[1].data == "single");
  CHECK(kinesis::sequence_number_of(batch.records[1].position) == one.sequence_number);
  CHECK_FALSE(batch.next_iterator.empty());
  CHECK(batch.behind == 0ms);
  CHECK(data_of(read(client, second_shard, starting_position::trim_horizon())) == texts{""});
}

TEST_CASE("reading begins where it is told to", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  instant const begin = server.now();
  texts numbers;
  for (char const* const data : {"a", "b", "c"}) numbers.push_back(server.put("ticks", "k", data));
  CHECK(data_of(read(client, first_shard, starting_position::trim_horizon())) == texts{"a", "b", "c"});
  CHECK(data_of(read(client, first_shard, starting_position::latest())).empty());
  CHECK(data_of(read(client, first_shard, starting_position::at(numbers[1]))) == texts{"b", "c"});
  CHECK(data_of(read(client, first_shard, starting_position::after(numbers[1]))) == texts{"c"});
  CHECK(data_of(read(client, first_shard, starting_position::at(begin))) == texts{"a", "b", "c"});
  CHECK(data_of(read(client, first_shard, starting_position::trim_horizon(), 2)) == texts{"a", "b"});
  fails(kinesis::errc::invalid_argument, [&] { read(client, first_shard, starting_position::at(begin + 3'600'000'000'000)); },
        {"GetShardIterator failed", "stream ticks", first_shard, "timestampInMillis"});
  fails(kinesis::errc::invalid_argument, [&] { read(client, first_shard, starting_position::after("12345")); }, {"12345"});
  fails(kinesis::errc::invalid_argument, [&] { read(client, first_shard, starting_position::latest(), 10'001); }, {"10000"});
}

TEST_CASE("the end of a shard names its children, behind its last records", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  server.put("ticks", "k", "a");
  server.put("ticks", "k", "b");
  testing::run(client.split_shard("ticks", first_shard, kinesis::hash_key(std::uint64_t{1} << 63, 0)));
  auto const some = read(client, first_shard, starting_position::trim_horizon(), 1);
  CHECK(data_of(some) == texts{"a"});
  CHECK(some.children.empty());
  auto const rest = testing::run(client.get_records(some.next_iterator));
  CHECK(data_of(rest) == texts{"b"});
  CHECK(rest.next_iterator.empty());
  REQUIRE(rest.children.size() == 2);
  CHECK(rest.children[0].id == second_shard);
  CHECK(rest.children[0].parents == texts{first_shard});
  CHECK(rest.children[0].keys == kinesis::hash_key_range{{}, {(std::uint64_t{1} << 63) - 1, ~std::uint64_t{0}}});
  CHECK(rest.children[1].keys.first == kinesis::hash_key(std::uint64_t{1} << 63, 0));
  testing::run(client.merge_shards("ticks", second_shard, third_shard));
  auto const end = read(client, second_shard, starting_position::latest());
  CHECK(end.next_iterator.empty());
  REQUIRE(end.children.size() == 1);
  CHECK(end.children[0].parents == texts{second_shard, third_shard});
}

TEST_CASE("shards are listed page by page", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 25);
  kinesis::client const client(server.client_options());
  auto const all = testing::run(client.list_shards("ticks", {}, 10));
  CHECK(all.size() == 25);
  CHECK(server.calls("ListShards") == 3);
  CHECK(all.front().keys.first == kinesis::hash_key());
  CHECK(all.back().keys.last == kinesis::hash_key::last());
  CHECK(testing::run(client.list_shards("arn:aws:kinesis:us-east-1:000000000000:stream/ticks")).size() == 25);
}

TEST_CASE("a listing whose token is too old begins again", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 25);
  server.fail("ListShards", kinesis_fault::refuse("ExpiredNextTokenException"), 1, 1);
  CHECK(testing::run(kinesis::client(server.client_options()).list_shards("ticks", {}, 10)).size() == 25);
  CHECK(server.calls("ListShards") == 5);
  server.fail("ListShards", kinesis_fault::refuse("ExpiredNextTokenException"), 9);
  fails(kinesis::errc::expired_next_token, [&] { testing::run(kinesis::client(server.client_options()).list_shards("ticks")); });
  CHECK(server.calls("ListShards") == 7);
}

TEST_CASE("shards are filtered", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  testing::simulation world;
  instant const begin = world.clock().now();
  world.clock().advance(1h);
  CHECK(ids_of(world.run(client.list_shards("ticks"))) == texts{first_shard});  // tells the server what time it is
  testing::run(client.split_shard("ticks", first_shard, kinesis::hash_key(1, 0)));
  auto const with = [&](shard_filter f) { return ids_of(world.run(client.list_shards("ticks", std::move(f)))); };
  CHECK(with({}) == texts{first_shard, second_shard, third_shard});
  CHECK(with(shard_filter::at_latest()) == texts{second_shard, third_shard});
  CHECK(with(shard_filter::at_trim_horizon()) == texts{first_shard});
  CHECK(with(shard_filter::from_trim_horizon()) == texts{first_shard, second_shard, third_shard});
  CHECK(with(shard_filter::at(begin + 1)) == texts{first_shard});
  CHECK(with(shard_filter::from(begin + 3'600'000'000'000)) == texts{second_shard, third_shard});
  CHECK(with(shard_filter::after(second_shard)) == texts{third_shard});
  auto const all = world.run(client.list_shards("ticks"));
  CHECK(all[0].closed);
  CHECK_FALSE(all[1].closed);
  CHECK(all[1].parent == first_shard);
  CHECK(all[1].adjacent_parent.empty());
  CHECK(all[1].keys == kinesis::hash_key_range{{}, {0, ~std::uint64_t{0}}});
}

TEST_CASE("streams are made, described, resharded and deleted", "[kinesis][client]") {
  kinesis_server::options o;
  o.protocol.change_time = 2s;
  o.protocol.most_record = std::size_t{10} * 1024 * 1024;
  kinesis_server server(std::move(o));
  kinesis::client const client(server.client_options());
  testing::simulation world;
  world.run(client.create_stream("ticks", 2));
  CHECK(world.run(client.describe_stream_summary("ticks")).status == kinesis::stream_status::creating);
  fails(kinesis::errc::resource_in_use, [&] { world.run(client.create_stream("ticks", 2)); }, {"already exists", "stream ticks"});
  fails(errc::timed_out, [&] { world.run(client.wait_until_active("ticks", 1s)); }, {"not active", "stream ticks"});
  world.run(client.wait_until_active("ticks"));
  auto const summary = world.run(client.describe_stream_summary("ticks"));
  CHECK(summary.name == "ticks");
  CHECK(summary.arn == "arn:aws:kinesis:us-east-1:000000000000:stream/ticks");
  CHECK(summary.open_shards == 2);
  CHECK(summary.retention == 24h);
  CHECK(summary.created == 1'704'067'200'000'000'000);
  CHECK(summary.most_record_bytes == 10'485'760);
  CHECK_FALSE(summary.encrypted);
  CHECK_FALSE(summary.on_demand);
  world.run(client.update_shard_count("ticks", 4));
  CHECK(world.run(client.describe_stream_summary("ticks")).status == kinesis::stream_status::updating);
  fails(kinesis::errc::resource_in_use, [&] { world.run(client.update_shard_count("ticks", 2)); }, {"not ACTIVE"});
  world.run(client.wait_until_active("ticks"));
  CHECK(world.run(client.list_shards("ticks", shard_filter::at_latest())).size() == 4);
  world.run(client.delete_stream("ticks"));
  fails(errc::not_found, [&] { world.run(client.describe_stream_summary("ticks")); }, {"stream ticks", "correct the name"});
}

TEST_CASE("of records put together, each has its own end", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  server.fail("PutRecords", kinesis_fault::fail_entries({1}));
  server.fail("PutRecords", kinesis_fault::fail_entries({0}, "InternalFailure"));
  kinesis::client const client(server.client_options());
  std::vector<outgoing_record> const records{{"k", "a"}, {"k", "b"}, {"k", "c"}};
  auto const results = testing::run(client.put_records("ticks", records));
  REQUIRE(results.size() == 3);
  CHECK_FALSE(results[0].failure);
  CHECK(results[1].failure == errc::throttled);
  CHECK(results[1].failure == condition::retryable);
  CHECK(results[1].why.find("ProvisionedThroughputExceededException: Rate exceeded for shard") == 0);
  CHECK(results[1].sequence_number.empty());
  CHECK_FALSE(results[2].failure);
  CHECK(data_of(read(client, first_shard, starting_position::trim_horizon())) == texts{"a", "c"});
  CHECK(testing::run(client.put_records("ticks", records))[0].failure == errc::unavailable);
}

TEST_CASE("errors are what the service calls them, whatever the status", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  auto options = server.client_options();
  options.retry = retry_policy().attempts(1);
  kinesis::client const client(options);
  std::string const at = testing::run(client.get_shard_iterator("ticks", first_shard, starting_position::trim_horizon()));
  auto const says = [&](std::string const& type, std::error_code code, unsigned status = 400) {
    INFO(type);
    server.fail("GetRecords", kinesis_fault::refuse(type, "said so", status));
    fails(code, [&] { testing::run(client.get_records(at)); },
          {"kinesis: GetRecords failed", type.substr(type.find('#') + 1) + ": said so", "in us-east-1", "r-"});
  };
  for (unsigned const status : {400U, 500U}) {
    says("ExpiredIteratorException", kinesis::errc::expired_iterator, status);
    says("com.amazonaws.kinesis.v20131202#ExpiredIteratorException", kinesis::errc::expired_iterator, status);
  }
  says("ProvisionedThroughputExceededException", errc::throttled);
  says("LimitExceededException", errc::throttled);
  says("KMSThrottlingException", errc::throttled);
  says("KMSDisabledException", kinesis::errc::key_unusable);
  says("KMSAccessDeniedException", errc::access_denied);
  says("AccessDeniedException", errc::access_denied);
  says("ResourceNotFoundException", errc::not_found);
  says("InternalFailure", errc::unavailable, 500);
  says("SomethingLaterException", errc::rejected);
  server.fail("GetRecords", kinesis_fault::empty(500));
  fails(errc::unavailable, [&] { testing::run(client.get_records(at)); }, {"status 500"});
  server.fail("GetRecords", kinesis_fault::garbage());
  fails(errc::malformed, [&] { testing::run(client.get_records(at)); }, {"kinesis: cannot read records (reply to GetRecords)"});
  for (char const* const reply : {"{}", "[]", "{\"ShardIterator\":null}", ""}) {
    server.fail("GetShardIterator", kinesis_fault::garbage(reply));
    fails(errc::malformed, [&] { read(client, first_shard, starting_position::latest()); });
  }
}

TEST_CASE("a call whose reply is lost, cut or empty is made again", "[kinesis][client]") {
  for (auto const& f : {kinesis_fault::throttle(), kinesis_fault::empty(500), kinesis_fault::empty(503), kinesis_fault::lose_reply(),
                        kinesis_fault::cut_reply(), kinesis_fault::close()}) {
    kinesis_server server;
    server.create("ticks", 1);
    server.put("ticks", "k", "a");
    server.fail("GetRecords", f, 2);
    kinesis::client const client(server.client_options());
    CHECK(data_of(read(client, first_shard, starting_position::trim_horizon())) == texts{"a"});
    CHECK(server.calls("GetRecords") == 3);
  }
}

TEST_CASE("an iterator is good for five minutes, and as often as one likes", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  server.put("ticks", "k", "a");
  kinesis::client const client(server.client_options());
  testing::simulation world;
  std::string const at = world.run(client.get_shard_iterator("ticks", first_shard, starting_position::trim_horizon()));
  for (int i = 0; i != 3; ++i) CHECK(data_of(world.run(client.get_records(at))) == texts{"a"});
  world.clock().advance(5min);
  CHECK(data_of(world.run(client.get_records(at))) == texts{"a"});
  world.clock().advance(1s);
  fails(kinesis::errc::expired_iterator, [&] { world.run(client.get_records(at)); }, {"ExpiredIteratorException"});
  CHECK(server.calls("GetRecords") == 5);  // it is not tried again
  std::string const other = world.run(client.get_shard_iterator("ticks", first_shard, starting_position::trim_horizon()));
  server.expire_iterators();
  fails(kinesis::errc::expired_iterator, [&] { world.run(client.get_records(other)); });
}

TEST_CASE("a record of ten megabytes goes there and back", "[kinesis][client]") {
  kinesis_server::options o;
  o.protocol.most_record = std::size_t{10} * 1024 * 1024;
  kinesis_server server(std::move(o));
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  std::string const large(std::size_t{10} * 1024 * 1024 - 1, 'x');
  testing::run(client.put_record("ticks", {"k", large}));
  auto const batch = read(client, first_shard, starting_position::trim_horizon());
  REQUIRE(batch.records.size() == 1);
  CHECK(batch.records[0].data == large);
  fails(kinesis::errc::invalid_argument, [&] { testing::run(client.put_record("ticks", {"k", large + "x"})); }, {"less than or equal to"});
}

TEST_CASE("what has been trimmed is not read, nor listed", "[kinesis][client]") {
  kinesis_server server;
  server.create("ticks", 1);
  kinesis::client const client(server.client_options());
  testing::simulation world;
  std::string const number = server.put("ticks", "k", "a");
  server.split("ticks", first_shard);
  world.clock().advance(23h);
  CHECK(world.run(client.list_shards("ticks")).size() == 3);
  std::string const at = world.run(client.get_shard_iterator("ticks", first_shard, starting_position::at(number)));
  CHECK(data_of(world.run(client.get_records(at))) == texts{"a"});
  world.clock().advance(1h + 1s);
  CHECK(ids_of(world.run(client.list_shards("ticks"))) == texts{second_shard, third_shard});
  fails(errc::not_found, [&] { world.run(client.get_shard_iterator("ticks", first_shard, starting_position::trim_horizon())); },
        {first_shard});
}

TEST_CASE("the server keeps the service's limits", "[kinesis][client]") {
  kinesis_server::options o;
  o.protocol.limits = true;
  kinesis_server server(std::move(o));
  server.create("ticks", 1);
  auto options = server.client_options();
  options.retry = retry_policy().attempts(1);
  kinesis::client const client(options);
  testing::simulation world;
  std::string const at = world.run(client.get_shard_iterator("ticks", first_shard, starting_position::trim_horizon()));
  for (int i = 0; i != 5; ++i) world.run(client.get_records(at));
  fails(errc::throttled, [&] { world.run(client.get_records(at)); });
  world.clock().advance(1s);
  world.run(client.get_records(at));
  std::vector<outgoing_record> const records(300, outgoing_record("k", std::string(4'000, 'x')));
  auto const results = world.run(client.put_records("ticks", records));
  std::size_t taken = 0;
  for (auto const& r : results) taken += r.failure ? 0 : 1;
  CHECK(taken == 262);  // 1 MiB by 4,000
}
