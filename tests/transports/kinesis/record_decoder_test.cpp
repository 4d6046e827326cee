#include <weir/kinesis/record_decoder.hpp>
#include <weir/kinesis/sequence_number.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/skip.hpp"
#include "transports/kinesis/capture.hpp"

#include <chrono>
#include <string>
#include <utility>

using namespace weir;
using namespace std::chrono_literals;
using test::fails_with;

namespace {

std::string const one =
    R"({"SequenceNumber":"49","PartitionKey":"k","Data":"aGVsbG8=","ApproximateArrivalTimestamp":1795961202.175,"EncryptionType":"KMS"})";

kinesis::record_batch decode(std::string_view body) { return kinesis::record_decoder().decode(body); }
kinesis::record_batch decode_records(std::string const& records) { return decode(R"({"Records":[)" + records + "]}"); }

}  // namespace

TEST_CASE("what emulators answer is read", "[kinesis][decoder]") {
  // The bytes that were put, and the numbers in the captured bodies.
  for (auto const& [name, arrival, first, second] :
       {std::tuple("mock-GetRecords-json.resp.bin", 1795961202175, "49680677677787612129427918973984594073532184684277006338",
                   "49680677677787612129427918973985802999351799313451712514"),
        std::tuple("kinesalite-GetRecords-json.resp.bin", 1795961204723, "49680677677787612129427918973983385147712570192541253634",
                   "49680677677787612129427918973984594073532184821715959810")}) {
    auto const body = test::kinesis_capture_body(name);
    if (!body && test::skip("no captures of emulators")) return;
    INFO(name);
    kinesis::record_batch const b = decode(*body);
    REQUIRE(b.records.size() == 2);
    CHECK(b.records[0].data == "hello");
    CHECK(b.records[0].partition_key == "pk-1");
    CHECK(kinesis::sequence_number_of(b.records[0].position) == first);
    CHECK(b.records[0].arrival == arrival * 1'000'000);
    CHECK_FALSE(b.records[0].encrypted);
    CHECK(b.records[1].data == "world");
    CHECK(b.records[1].partition_key == "pk-2");
    CHECK(kinesis::sequence_number_of(b.records[1].position) == second);
    CHECK(b.next_iterator.starts_with("AAAAAAAAAA"));
    CHECK(b.next_iterator.size() == 204);
    CHECK(b.behind == 0ms);
    CHECK(b.children.empty());
  }
}

TEST_CASE("members may be missing, null, unknown, and in any order", "[kinesis][decoder]") {
  kinesis::record_batch const nothing = decode(R"({"Records":[]})");
  CHECK(nothing.records.empty());
  CHECK_FALSE(nothing.bytes);
  CHECK(nothing.next_iterator.empty());
  CHECK_FALSE(nothing.behind);
  kinesis::record_batch const nulls = decode(R"({"Records":null,"NextShardIterator":null,"MillisBehindLatest":null,"ChildShards":null})");
  CHECK(nulls.records.empty());
  kinesis::record_batch const b = decode(
      R"({"New":{"a":[1]},"MillisBehindLatest":86400001,"Records":[{"Data":"","ApproximateArrivalTimestamp":null,"New":[],"EncryptionType":null,)"
      R"("PartitionKey":"k","SequenceNumber":"7"}],"NextShardIterator":"x"})");
  REQUIRE(b.records.size() == 1);
  CHECK(b.records[0].data.empty());
  CHECK(b.records[0].arrival == start_of_time);
  CHECK(b.behind == 24h + 1ms);
  CHECK(b.next_iterator == "x");
}

TEST_CASE("the end of a shard says where it goes on", "[kinesis][decoder]") {
  // The form of "GetRecords", Kinesis Data Streams API reference; half of 2^128 by python3.
  kinesis::record_batch const b = decode(
      R"({"ChildShards":[{"ShardId":"shardId-000000000002","ParentShards":["shardId-000000000000","shardId-000000000001"],)"
      R"("HashKeyRange":{"StartingHashKey":"170141183460469231731687303715884105728","EndingHashKey":"340282366920938463463374607431768211455"}}],)"
      R"("MillisBehindLatest":0,"Records":[]})");
  REQUIRE(b.children.size() == 1);
  CHECK(b.children[0].id == "shardId-000000000002");
  CHECK(b.children[0].parents == std::vector<std::string>{"shardId-000000000000", "shardId-000000000001"});
  CHECK(b.children[0].keys == kinesis::hash_key_range{{std::uint64_t{1} << 63, 0}, kinesis::hash_key::last()});
  CHECK(b.next_iterator.empty());
}

TEST_CASE("escapes in texts are read, also in base64", "[kinesis][decoder]") {
  kinesis::record_batch const b = decode_records(R"({"SequenceNumber":"1","PartitionKey":"\u00e4\"\\b","Data":"\/\/\/\/"})");
  REQUIRE(b.records.size() == 1);
  CHECK(b.records[0].partition_key == "\xc3\xa4\"\\b");
  CHECK(b.records[0].data == "\xff\xff\xff");
}

TEST_CASE("records live as long as their bytes", "[kinesis][decoder]") {
  kinesis::record_decoder d;
  kinesis::record_batch first = d.decode(R"({"Records":[)" + one + "]}");
  kinesis::record_batch const second = d.decode(R"({"Records":[{"SequenceNumber":"2","PartitionKey":"x","Data":"eHh4eHg="}]})");
  shared_bytes const kept = first.bytes;
  kinesis::record_view const r = first.records.at(0);
  first = {};
  CHECK(r.data == "hello");
  CHECK(r.partition_key == "k");
  CHECK(r.encrypted);
  CHECK(second.records.at(0).data == "xxxxx");
}

TEST_CASE("a record of ten megabytes is read", "[kinesis][decoder]") {
  // "AAAA" is three zeros: RFC 4648.
  std::string text(std::size_t{4} * 3'495'254, 'A');
  kinesis::record_batch const b = decode_records(R"({"SequenceNumber":"1","PartitionKey":"k","Data":")" + text + "\"}");
  CHECK(b.records.at(0).data == std::string_view(std::string(std::size_t{3} * 3'495'254, '\0')));
}

TEST_CASE("what is no reply is refused, and it is said why", "[kinesis][decoder]") {
  auto const refused = [](std::string body, char const* why) {
    INFO(body);
    fails_with(errc::malformed, [&] { decode(body); }, "kinesis: cannot read records", why);
  };
  refused("", "");
  refused("<html>", "");
  refused("[]", "no object");
  refused("{}", "no Records");  // and not the end of the shard
  refused(R"({"NextShardIterator":"x","MillisBehindLatest":0})", "no Records");
  refused(R"({"Records":[)" + one, "");
  refused(R"({"Records":[)" + one + "]}x", "");
  refused(R"({"Records":{}})", "Records is no array");
  refused(R"({"Records":[1]})", "a record is no object");
  refused(R"({"Records":[)" + one + R"(],"Records":[)" + one + "]}", "twice");
  refused(R"({"Records":[{"PartitionKey":"k","Data":""}]})", "no sequence number");
  refused(R"({"Records":[{"PartitionKey":"k","Data":"","SequenceNumber":"-1"}]})", "\"-1\" is no sequence number");
  refused(R"({"Records":[{"PartitionKey":"k","SequenceNumber":"12"}]})", "the record 12 has no data");
  refused(R"({"Records":[{"PartitionKey":"k","Data":"a","SequenceNumber":"12"}]})", "no base64");
  refused(R"({"Records":[{"PartitionKey":"k","Data":7,"SequenceNumber":"12"}]})", "no base64");
  refused(R"({"Records":[{"Data":"","SequenceNumber":"12"}]})", "no partition key");
  refused(R"({"Records":[{"PartitionKey":7,"Data":"","SequenceNumber":"12"}]})", "no partition key");
  refused(R"({"Records":[{"ApproximateArrivalTimestamp":1e99}]})", "no time");
  refused(R"({"MillisBehindLatest":"7"})", "no whole number");
  refused(R"({"ChildShards":[{}]})", "no id");
  refused(R"({"ChildShards":[{"ShardId":"a","HashKeyRange":{"StartingHashKey":"x"}}]})", "no hash keys");
}
