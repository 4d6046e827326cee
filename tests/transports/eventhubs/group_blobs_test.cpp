#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/group_blobs.hpp>
#include <weir/eventhubs/ownership_service.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <string>
#include <utility>

using namespace weir;
using eventhubs::checkpoint_blobs;
using eventhubs::group_blobs;
using eventhubs::ownership_write;
using eventhubs::ownership_write_kind;
using eventhubs::partition_of;
using eventhubs::read_checkpoint;
using eventhubs::stored_checkpoint;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

azure::blob blob_with(azure::blob_metadata about) {
  azure::blob b;
  b.name = "ns/hub/g/checkpoint/0";
  b.etag = "\"1\"";
  b.metadata = std::move(about);
  return b;
}
azure::blob_container container_at(http_server const& server) {
  azure::blob_container_options o;
  o.url = server.url("/box");
  o.retry = retry_policy().attempts(2).blur(jitter::none);
  return azure::blob_container(o);
}
stored_checkpoint checkpoint(std::string offset, std::int64_t number, std::string etag = {}) {
  stored_checkpoint out;
  out.partition = "0";
  out.offset = std::move(offset);
  out.sequence_number = number;
  out.etag = std::move(etag);
  return out;
}
http_answer written(int tag) {
  return http_answer::of(200, "", "ETag: \"" + std::to_string(tag) + "\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:07 GMT\r\n");
}
http_answer found(int tag, std::string const& offset, std::string const& number) {
  return http_answer::of(200, "",
                         "ETag: \"" + std::to_string(tag) + "\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:07 GMT\r\nx-ms-meta-offset: " +
                             offset + "\r\nx-ms-meta-sequencenumber: " + number + "\r\n");
}
http_answer refused(unsigned status, std::string const& code) { return http_answer::of(status, "", "x-ms-error-code: " + code + "\r\n"); }

}  // namespace

// As the official clients made them in a run that was recorded.
TEST_CASE("blobs have the names that the official clients give them", "[eventhubs][blobs]") {
  group_blobs const names("NS.servicebus.windows.net", "HubX", "$Default");
  CHECK(names.ownership("0") == "ns.servicebus.windows.net/hubx/$default/ownership/0");
  CHECK(names.checkpoint("12") == "ns.servicebus.windows.net/hubx/$default/checkpoint/12");
  CHECK(partition_of("ns.servicebus.windows.net/hubx/$default/checkpoint/12", names.checkpoints()) == "12");
  CHECK(partition_of("ns.servicebus.windows.net/hubx/$default/checkpoint/12/x", names.checkpoints()).empty());
  CHECK(partition_of("ns.servicebus.windows.net/hubx/$default/ownership/12", names.checkpoints()).empty());
  fails_with(errc::invalid_option, [] { group_blobs("ns", "", "g"); }, "name all three");
}

TEST_CASE("a checkpoint is read as any of the official clients wrote it", "[eventhubs][blobs]") {
  CHECK(read_checkpoint(blob_with({{"offset", "29"}, {"sequencenumber", "1"}}), "0") == checkpoint("29", 1, "\"1\""));
  // Java and .NET: others beside them.
  CHECK(read_checkpoint(blob_with({{"offset", "a:9"}, {"sequencenumber", "0"}, {"clientidentifier", "x"}}), "0") ==
        checkpoint("a:9", 0, "\"1\""));
  for (char const* const unusable : {"", "no offset"}) {  // azure-sdk-for-net #43659, #49318
    auto const c = read_checkpoint(blob_with({{"offset", unusable}, {"sequencenumber", "7"}}), "0");
    CHECK(c.offset.empty());
    CHECK(c.sequence_number == 7);
  }
  for (char const* const unusable : {"", "x", "7x", "-1", "9223372036854775808"}) {
    auto const c = read_checkpoint(blob_with({{"offset", "29"}, {"sequencenumber", unusable}}), "0");
    CHECK(c.offset == "29");
    CHECK_FALSE(c.sequence_number);
  }
  CHECK(read_checkpoint(blob_with({{"sequencenumber", "9223372036854775807"}}), "0").sequence_number == INT64_MAX);
  fails_with(
      errc::corrupt, [] { read_checkpoint(blob_with({{"offset", "no offset"}, {"sequencenumber", ""}}), "3"); }, "partition 3",
      "ns/hub/g/checkpoint/0", "delete it");
  CHECK(to_metadata(checkpoint("29", 1)) == azure::blob_metadata{{"offset", "29"}, {"sequencenumber", "1"}});
}

TEST_CASE("a checkpoint is written where its blob is the one that was seen, also backwards", "[eventhubs][blobs]") {
  http_server const server({written(2), written(3)});
  checkpoint_blobs const blobs(container_at(server), group_blobs("ns", "hub", "g"));
  auto const first = testing::run(blobs.write(checkpoint("29", 5)));
  CHECK(first.done);
  CHECK(first.stored == checkpoint("29", 5, "\"2\""));
  CHECK(testing::run(blobs.write(checkpoint("3", 1, first.stored.etag))).stored.etag == "\"3\"");
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].target == "/box/ns/hub/g/checkpoint/0");
  CHECK(seen[0].headers.at("if-none-match") == "*");
  CHECK(seen[1].target == "/box/ns/hub/g/checkpoint/0?comp=metadata");
  CHECK(seen[1].headers.at("if-match") == "\"2\"");
  CHECK(seen[1].headers.at("x-ms-meta-offset") == "3");
  CHECK(seen[1].headers.at("x-ms-meta-sequencenumber") == "1");
  fails_with(errc::misuse, [&] { testing::run(blobs.write(checkpoint("", 1))); }, "offset and a sequence number");
}

TEST_CASE("a checkpoint that others have moved meanwhile goes forward and not back", "[eventhubs][blobs]") {
  http_server const server({refused(412, "ConditionNotMet"), found(8, "100", "10"), refused(409, "BlobAlreadyExists"),
                            found(8, "100", "10"), written(9), refused(412, "ConditionNotMet"), refused(404, "BlobNotFound"), written(10)});
  checkpoint_blobs const blobs(container_at(server), group_blobs("ns", "hub", "g"));
  auto const behind = testing::run(blobs.write(checkpoint("90", 9, "\"7\"")));
  CHECK_FALSE(behind.done);
  CHECK(behind.stored == checkpoint("100", 10, "\"8\""));
  auto const ahead = testing::run(blobs.write(checkpoint("110", 11)));
  CHECK(ahead.done);
  CHECK(ahead.stored.etag == "\"9\"");
  CHECK(testing::run(blobs.write(checkpoint("1", 1, "\"9\""))).done);  // it was deleted
  auto const seen = server.seen();
  REQUIRE(seen.size() == 8);
  CHECK(seen[4].headers.at("if-match") == "\"8\"");
  CHECK(seen[7].headers.at("if-none-match") == "*");
}

TEST_CASE("a write whose answer was lost is known again by what it has written", "[eventhubs][blobs]") {
  http_server const server({http_answer::nothing(), refused(412, "ConditionNotMet"), found(8, "100", "10")});
  checkpoint_blobs const blobs(container_at(server), group_blobs("ns", "hub", "g"));
  auto const done = testing::run(blobs.write(checkpoint("100", 10, "\"7\"")));
  CHECK(done.done);
  CHECK(done.stored.etag == "\"8\"");
}

TEST_CASE("a checkpoint that others write again and again is given up", "[eventhubs][blobs]") {
  auto const server = http_server::answering(
      [](test::seen_request const& r) { return r.method == "HEAD" ? found(8, "1", "1") : refused(412, "ConditionNotMet"); });
  checkpoint_blobs const blobs(container_at(server), group_blobs("ns", "hub", "g"));
  fails_with(errc::busy, [&] { testing::run(blobs.write(checkpoint("100", 10, "\"7\""))); }, "partition 0", "again and again");
}

TEST_CASE("a claim that is refused says who has the partition", "[eventhubs][blobs]") {
  http_server const server(
      {refused(409, "BlobAlreadyExists"),
       http_answer::of(200, "", "ETag: \"8\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:07 GMT\r\nx-ms-meta-ownerid: other\r\n"),
       refused(412, "ConditionNotMet"), refused(404, "BlobNotFound"), refused(404, "BlobNotFound"), refused(404, "BlobNotFound")});
  auto const service = eventhubs::make_ownership_service(container_at(server), group_blobs("ns", "hub", "g"));
  eventhubs::ownership before;
  before.partition = "0";
  auto const taken = testing::run(service->write(ownership_write(ownership_write_kind::claim, before, "me")));
  CHECK_FALSE(taken.done);
  REQUIRE(taken.stored);
  CHECK(taken.stored->owner == "other");
  CHECK(taken.stored->partition == "0");
  CHECK(taken.stored->etag == "\"8\"");
  before.etag = "\"7\"";
  for (auto const what : {ownership_write_kind::renew, ownership_write_kind::give_back}) {  // its blob was deleted
    auto const gone = testing::run(service->write(ownership_write(what, before, "me")));
    CHECK_FALSE(gone.done);
    CHECK_FALSE(gone.stored);
  }
  auto const seen = server.seen();
  REQUIRE(seen.size() == 6);
  CHECK(seen[2].headers.at("x-ms-meta-ownerid") == "me");
  CHECK(seen[4].headers.at("x-ms-meta-ownerid").empty());
}
