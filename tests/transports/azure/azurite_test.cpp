// The client against an emulator of Blob storage that is not ours, and that verifies signatures.
#include <weir/azure/blob_container.hpp>
#include <weir/testing/run.hpp>

#include "support/azurite.hpp"
#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using azure::blob_condition;
using azure::blob_container;
using azure::blob_container_options;
using azure::blob_write;
using test::fails_with;

namespace {

blob_container_options azurite_options(test::node_server const& server, char const* container, char const* key = test::azurite_key) {
  return blob_container_options::from_connection_string(
      "BlobEndpoint=" + server.url() + "/devstoreaccount1;AccountName=devstoreaccount1;AccountKey=" + key, container);
}

}  // namespace

TEST_CASE("azurite takes each call, and knows who signed it", "[azure][blob][peer]") {
  auto const server = test::azurite();
  if (!server) return;
  blob_container const box(azurite_options(*server, "box"));
  std::string const name = "ns.example/h b/$default/ownership/0";
  CHECK(testing::run(box.properties(name)) == std::nullopt);
  CHECK(testing::run(box.set_metadata(name, {{"ownerid", "w1"}})).is == blob_write::result::absent);
  blob_write const made = testing::run(box.put(name, {{"ownerid", "w1"}}, blob_condition::absent()));
  CHECK(made.is == blob_write::result::done);
  CHECK(testing::run(box.put(name, {{"ownerid", "w2"}}, blob_condition::absent())).is == blob_write::result::changed);
  blob_write const renewed = testing::run(box.set_metadata(name, {{"ownerid", ""}}, blob_condition::unchanged(made.etag)));
  CHECK(renewed.is == blob_write::result::done);
  CHECK(renewed.etag != made.etag);
  CHECK(testing::run(box.set_metadata(name, {{"ownerid", "w3"}}, blob_condition::unchanged(made.etag))).is == blob_write::result::changed);
  auto const found = testing::run(box.properties(name));
  REQUIRE(found);
  CHECK(found->etag == renewed.etag);
  CHECK(found->metadata == azure::blob_metadata{{"ownerid", ""}});
  CHECK(testing::run(box.put("ns.example/other", {}, {}, "some bytes")).is == blob_write::result::done);
  azure::blob_page const page = testing::run(box.list("ns.example/h b/$default/"));
  REQUIRE(page.blobs.size() == 1);
  CHECK(page.next.empty());
  CHECK(page.blobs[0].name == name);
  CHECK(page.blobs[0].etag == renewed.etag);
  CHECK(page.blobs[0].modified == found->modified);
  CHECK(page.asked >= found->modified);
  CHECK(page.blobs[0].metadata == found->metadata);
  CHECK(testing::run(box.erase(name, blob_condition::unchanged(made.etag))).is == blob_write::result::changed);
  CHECK(testing::run(box.erase(name)).is == blob_write::result::done);
  CHECK(testing::run(box.list("ns.example/h b")).blobs.empty());

  fails_with(
      errc::access_denied, [&] { testing::run(blob_container(azurite_options(*server, "box", "d3Jvbmcga2V5")).list("")); }, "List Blobs",
      "/box", "correct the account's key");
  fails_with(
      errc::not_found, [&] { testing::run(blob_container(azurite_options(*server, "none")).put("b", {})); }, "ContainerNotFound",
      "create the container");
}
