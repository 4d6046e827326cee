#include <weir/azure/blob_container.hpp>
#include <weir/azure/detail/blob_list.hpp>
#include <weir/context.hpp>
#include <weir/instant.hpp>
#include <weir/testing/run.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"
#include "support/http_server.hpp"

#include <chrono>
#include <string>

using namespace weir;
using namespace std::chrono_literals;
using azure::blob_condition;
using azure::blob_container;
using azure::blob_container_options;
using azure::blob_write;
using test::fails_with;
using test::http_answer;
using test::http_server;

namespace {

instant const new_year = to_instant(std::chrono::sys_days(std::chrono::January / 1 / 2024));

blob_container_options options_of(http_server const& server) {
  blob_container_options o;
  o.url = server.url("/acct/box");
  o.by = azure::shared_key("acct", "c2VjcmV0");
  o.retry = retry_policy().attempts(3).first_delay(1s).blur(jitter::none);
  return o;
}
http_answer refusal(unsigned status, std::string const& code, std::string const& headers = {}) {
  return http_answer::of(status,
                         "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code +
                             "</Code><Message>said so\nRequestId:r-1\nTime:t</Message></Error>",
                         headers + "x-ms-request-id: r-1\r\n");
}
std::string const written = "ETag: \"0x8D\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:07 GMT\r\n";

}  // namespace

TEST_CASE("a blob is made, with its metadata and under its condition", "[azure][blob]") {
  http_server const server({http_answer::of(201, "", written)});
  blob_write const made =
      testing::run(blob_container(options_of(server)).put("ns/a b/$default/0", {{"ownerid", ""}}, blob_condition::absent()));
  CHECK(made.is == blob_write::result::done);
  CHECK(made.etag == "\"0x8D\"");
  CHECK(made.modified == new_year + 7'000'000'000);
  auto const seen = server.seen();
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].method == "PUT");
  CHECK(seen[0].target == "/acct/box/ns/a%20b/%24default/0");
  CHECK(seen[0].headers.at("x-ms-blob-type") == "BlockBlob");
  CHECK(seen[0].headers.at("x-ms-version") == "2021-12-02");
  CHECK(seen[0].headers.at("x-ms-meta-ownerid").empty());
  CHECK(seen[0].headers.at("if-none-match") == "*");
  CHECK(seen[0].headers.at("content-length") == "0");
  CHECK(seen[0].headers.at("x-ms-date") == "Mon, 01 Jan 2024 00:00:00 GMT");  // where virtual time begins
}

TEST_CASE("conditions that do not hold and blobs that do not exist are answers", "[azure][blob]") {
  http_server const server({refusal(409, "BlobAlreadyExists"), refusal(412, "ConditionNotMet"), refusal(404, "BlobNotFound"),
                            http_answer::of(404, "", "x-ms-error-code: BlobNotFound\r\n"), refusal(404, "BlobNotFound"),
                            http_answer::of(200, "", written + "x-ms-meta-OwnerId: w1\r\n"), http_answer::of(202)});
  blob_container const box(options_of(server));
  CHECK(testing::run(box.put("b", {}, blob_condition::absent())).is == blob_write::result::changed);
  CHECK(testing::run(box.set_metadata("b", {{"ownerid", "w1"}}, blob_condition::unchanged("\"0x1\""))).is == blob_write::result::changed);
  CHECK(testing::run(box.set_metadata("b", {})).is == blob_write::result::absent);
  CHECK(testing::run(box.properties("b")) == std::nullopt);
  CHECK(testing::run(box.erase("b")).is == blob_write::result::absent);
  auto const found = testing::run(box.properties("b"));
  REQUIRE(found);
  CHECK(found->etag == "\"0x8D\"");
  CHECK(found->metadata == azure::blob_metadata{{"ownerid", "w1"}});
  CHECK(testing::run(box.erase("b")).is == blob_write::result::done);
  auto const seen = server.seen();
  REQUIRE(seen.size() == 7);  // nothing was tried again
  CHECK(seen[1].target == "/acct/box/b?comp=metadata");
  CHECK(seen[1].headers.at("if-match") == "\"0x1\"");
  CHECK(seen[3].method == "HEAD");
  CHECK(seen[4].method == "DELETE");
}

TEST_CASE("what may succeed later is tried again, signed for that time", "[azure][blob]") {
  http_server const server({http_answer::nothing(), refusal(503, "ServerBusy", "Retry-After: 3\r\n"), http_answer::of(201, "", written)});
  CHECK(testing::run(blob_container(options_of(server)).put("b", {})).is == blob_write::result::done);
  auto const seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[1].headers.at("x-ms-date") == "Mon, 01 Jan 2024 00:00:01 GMT");
  CHECK(seen[2].headers.at("x-ms-date") == "Mon, 01 Jan 2024 00:00:04 GMT");  // it asked for 3 s, and not 2
  CHECK(seen[1].headers.at("authorization") != seen[0].headers.at("authorization"));
}

TEST_CASE("what the service refuses says what, where, why, and what to do", "[azure][blob]") {
  struct {
    unsigned status;
    char const* code;
    errc expected;
    char const* advice;
  } const rows[] = {
      {403, "AuthenticationFailed", errc::access_denied, "clock"},
      {403, "AuthorizationFailure", errc::access_denied, "firewall"},
      {403, "AuthorizationPermissionMismatch", errc::access_denied, "Storage Blob Data Contributor"},
      {403, "KeyBasedAuthenticationNotPermitted", errc::access_denied, "Entra"},
      {401, "NoAuthenticationInformation", errc::access_denied, "token"},
      {404, "ContainerNotFound", errc::not_found, "create the container"},
      {400, "InvalidHeaderValue", errc::rejected, "said so"},
      {412, "LeaseIdMissing", errc::rejected, "said so"},
      {409, "ContainerBeingDeleted", errc::rejected, "said so"},
  };
  for (auto const& row : rows) {
    http_server const server({refusal(row.status, row.code)});
    blob_container const box(options_of(server));
    fails_with(
        row.expected, [&] { testing::run(box.set_metadata("who", {})); }, "azure: Set Blob Metadata failed", "/acct/box", "blob who",
        std::string(row.code) + ": said so", row.advice, "r-1");
    CHECK(server.seen().size() == 1);
  }
  http_server const busy({refusal(503, "ServerBusy"), http_answer::of(500), refusal(500, "OperationTimedOut")});
  fails_with(errc::unavailable, [&] { testing::run(blob_container(options_of(busy)).list("")); }, "List Blobs", "after 3 tries");
}

TEST_CASE("a signature stands in the query, and is never shown", "[azure][blob]") {
  for (bool const in_url : {true, false}) {
    http_server const server({refusal(403, "AuthenticationFailed")});
    blob_container_options o = options_of(server);
    if (in_url) {
      o.url += "?sv=2021-12-02&sig=hidden";
      o.by = {};
    } else {
      o.by = azure::shared_access_signature("?sv=2021-12-02&sig=hidden");
    }
    try {
      testing::run(blob_container(o).set_metadata("b", {}));
      FAIL("nothing was thrown");
    } catch (error const& e) {
      CHECK(std::string(e.what()).find("hidden") == std::string::npos);
    }
    auto const seen = server.seen();
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].target == "/acct/box/b?comp=metadata&sv=2021-12-02&sig=hidden");
    CHECK(seen[0].headers.count("authorization") == 0);
  }
}

namespace {
task<std::string> next_token(int* calls) { co_return "token-" + std::to_string(++*calls); }
}  // namespace

TEST_CASE("each try has the token of its time", "[azure][blob]") {
  http_server const server({refusal(503, "ServerBusy"), http_answer::of(202)});
  blob_container_options o = options_of(server);
  int calls = 0;
  o.by = azure::bearer_source([&] { return next_token(&calls); });
  CHECK(testing::run(blob_container(o).erase("b")).is == blob_write::result::done);
  auto const seen = server.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].headers.at("authorization") == "Bearer token-1");
  CHECK(seen[1].headers.at("authorization") == "Bearer token-2");
}

TEST_CASE("a list comes page by page", "[azure][blob]") {
  // By the example of "List Blobs", and of azurite.
  std::string const first = R"(<?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="http://x/" ContainerName="box">
<Prefix>ns/</Prefix><Blobs>
<Blob><Name>ns/&amp;/0</Name><Properties><Last-Modified>Mon, 01 Jan 2024 00:00:07 GMT</Last-Modified><Etag>0x8D</Etag><Content-Length>0</Content-Length></Properties>
<Metadata><OwnerId>w1</OwnerId><blank> </blank></Metadata></Blob>
<Blob><Name Encoded="true">ns/%EF%BF%BE</Name><Properties><Last-Modified>Mon, 01 Jan 2024 00:00:08 GMT</Last-Modified><Etag>"0x8E"</Etag></Properties><Metadata /></Blob>
</Blobs><NextMarker>2!8=</NextMarker></EnumerationResults>)";
  std::string const second = "<EnumerationResults><Blobs /><NextMarker /></EnumerationResults>";
  http_server const server({http_answer::of(200, first, "Date: Mon, 01 Jan 2024 00:01:00 GMT\r\n"), http_answer::of(200, second)});
  blob_container const box(options_of(server));
  azure::blob_page const page = testing::run(box.list("ns/$"));
  REQUIRE(page.blobs.size() == 2);
  CHECK(page.asked == new_year + 60'000'000'000);
  CHECK(page.blobs[0].name == "ns/&/0");
  CHECK(page.blobs[0].etag == "\"0x8D\"");  // as headers have it
  CHECK(page.blobs[0].modified == new_year + 7'000'000'000);
  CHECK(page.blobs[0].metadata == azure::blob_metadata{{"ownerid", "w1"}, {"blank", " "}});
  CHECK(page.blobs[1].name == "ns/\xef\xbf\xbe");
  CHECK(page.blobs[1].etag == "\"0x8E\"");
  CHECK(page.next == "2!8=");
  CHECK(testing::run(box.list("ns/$", page.next)).next.empty());
  auto const seen = server.seen();
  CHECK(seen[0].target == "/acct/box?restype=container&comp=list&include=metadata&prefix=ns%2F%24");
  CHECK(seen[1].target == "/acct/box?restype=container&comp=list&include=metadata&prefix=ns%2F%24&marker=2%218%3D");
}

TEST_CASE("a list that cannot be read is refused", "[azure][blob]") {
  std::string deep;
  for (int i = 0; i != 100'000; ++i) deep += "<a>";
  for (std::string const& xml : {std::string(), std::string("{}"), std::string("<EnumerationResults><Blobs>"), std::string("<Error/>"),
                                 deep, std::string("<EnumerationResults><Blobs><Blob><Properties/></Blob></Blobs></EnumerationResults>"),
                                 std::string("<EnumerationResults><Blobs><Blob><Name>b</Name></Blob></Blobs></EnumerationResults>")}) {
    INFO(xml.substr(0, 100));
    fails_with(errc::malformed, [&] { azure::detail::read_blob_list(xml); }, "azure: the answer to List Blobs cannot be read");
  }
}

TEST_CASE("options and metadata that cannot be used are refused", "[azure][blob]") {
  auto const with = [](char const* url, azure::storage_credential by = {}) {
    blob_container_options o;
    o.url = url;
    o.by = std::move(by);
    return blob_container(o);
  };
  azure::shared_access_signature const sas("sv=1&sig=hidden");
  fails_with(errc::invalid_option, [&] { with("box"); }, "is no absolute URL");
  fails_with(errc::invalid_option, [&] { with("https://a.blob.core.windows.net/"); }, "has no path");
  fails_with(errc::invalid_option, [&] { with("https://a.blob.core.windows.net/box?sig=x", sas); }, "another one");
  fails_with(errc::invalid_option, [&] { with("https://a/box?sig=x", azure::shared_key("a", "c2VjcmV0")); }, "another credential");
  fails_with(errc::invalid_option, [&] { with("https://a/box", azure::shared_access_signature("x")); }, "sig=");
  blob_container const box = with("https://a.blob.core.windows.net/box/?sv=1&sig=hidden");
  CHECK(box.url() == "https://a.blob.core.windows.net/box");
  fails_with(errc::invalid_option, [&] { testing::run(box.put("b", {{"OwnerId", ""}})); }, "OwnerId");
  fails_with(errc::invalid_option, [&] { testing::run(box.put("b", {{"a", "\xc3\xa4"}})); }, "visible ASCII");
  for (char const* const blank : {" x", "x ", " "})
    fails_with(errc::invalid_option, [&] { testing::run(box.put("b", {{"a", blank}})); }, "begins or ends with a space");
}

// The forms of "Configure Azure Storage connection strings".
TEST_CASE("a connection string says where a container is, and by whom it is asked", "[azure][blob]") {
  auto const parse = [](std::string const& text) { return blob_container_options::from_connection_string(text, "box"); };
  auto const usual = parse("DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net");
  CHECK(usual.url == "https://acct.blob.core.windows.net/box");
  CHECK(std::get<azure::shared_key>(usual.by).account == "acct");
  CHECK(std::get<azure::shared_key>(usual.by).secret == "secret");
  auto const signed_for =
      parse("BlobEndpoint=https://acct.blob.core.windows.net/;QueueEndpoint=https://q/;SharedAccessSignature=sv=1&sig=x%3D");
  CHECK(signed_for.url == "https://acct.blob.core.windows.net/box");
  CHECK(std::get<azure::shared_access_signature>(signed_for.by).text == "sv=1&sig=x%3D");
  CHECK(parse("UseDevelopmentStorage=true;").url == "http://127.0.0.1:10000/devstoreaccount1/box");
  CHECK(parse(" accountname = acct;accountkey=c2VjcmV0").url == "https://acct.blob.core.windows.net/box");
  for (char const* const text :
       {"", "AccountName=a", "AccountKey=c2VjcmV0", "AccountName=a;AccountKey=c2VjcmV0;SharedAccessSignature=sig=x", "c2VjcmV0",
        "AccountName=a;AccountName=b;AccountKey=c2VjcmV0", "UseDevelopmentStorage=yes", "Endpoint=sb://ns/;SharedAccessKey=c2VjcmV0"}) {
    INFO(text);
    try {
      parse(text);
      FAIL("nothing was thrown");
    } catch (error const& e) {
      CHECK(e.code() == errc::invalid_option);
      CHECK(std::string(e.what()).find("c2VjcmV0") == std::string::npos);
    }
  }
}
