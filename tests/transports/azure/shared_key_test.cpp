#include <weir/azure/detail/string_to_sign.hpp>
#include <weir/azure/shared_key.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <chrono>
#include <string>

using namespace weir;
using test::fails_with;

namespace {

// Azurite's, which everybody knows ("Connect to Azurite with SDKs and tools").
constexpr char const* account = "devstoreaccount1";
constexpr char const* key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr char const* container = "http://127.0.0.1:10000/devstoreaccount1/checkpoints";
instant const new_year = to_instant(std::chrono::sys_days(std::chrono::January / 1 / 2024));

// A request as Microsoft's own client (@azure/storage-blob 12.32) makes it; it differs in each call by an id.
net::request made_by_sdk(char const* method, std::string const& target, char const* id, std::string body = {}) {
  net::request r(method, container + target, std::move(body));
  r.headers.add("x-ms-version", "2026-04-06").add("Accept", "application/xml").add("x-ms-client-request-id", id);
  return r;
}
std::string signature_of(net::request r) {
  azure::sign(r, azure::shared_key(account, key), new_year);
  CHECK(r.headers.find("x-ms-date") == "Mon, 01 Jan 2024 00:00:00 GMT");
  return std::string(r.headers.find("Authorization").value_or(""));
}

}  // namespace

// Expected: what that client sent for the same call, its clock held at the same time.
TEST_CASE("requests are signed as Microsoft's own client signs them", "[azure][signing]") {
  std::string const blob = "/ns/hub/%24default/ownership/0";
  net::request create = made_by_sdk("PUT", blob, "0c0eb19f-ccda-4aad-b5a2-66bc4c251fd2");
  create.headers.add("Content-Type", "application/octet-stream").add("x-ms-meta-ownerid", "w1").add("If-None-Match", "*");
  create.headers.add("x-ms-blob-type", "BlockBlob");
  CHECK(signature_of(create) == "SharedKey devstoreaccount1:req5NTbOPACSCaDZP+vvWVw3sRvB7vT8m3YhyAgTBYs=");

  net::request give_back = made_by_sdk("PUT", blob + "?comp=metadata", "3624cd35-42d1-4bf3-976e-fb2be09f6f53");
  give_back.headers.add("x-ms-meta-ownerid", "").add("If-Match", "0x1E90");
  CHECK(signature_of(give_back) == "SharedKey devstoreaccount1:zPeuUv5IOO+2TJJ2EgEbxHgLeztSKdbKjg2NCiH54+k=");

  net::request with_bytes = made_by_sdk("PUT", blob, "674665c8-1f2a-4f0f-a457-2cf35fbe33a7", "abc");
  with_bytes.headers.add("Content-Type", "application/octet-stream").add("x-ms-meta-ownerid", "w  1").add("x-ms-blob-type", "BlockBlob");
  CHECK(signature_of(with_bytes) == "SharedKey devstoreaccount1:BHShKR/wNzlVq0dXBvavQdLJMclzcV0U/qk1Ofy93TA=");

  CHECK(signature_of(made_by_sdk("HEAD", blob, "69381010-4172-4799-ac1d-3dd4d4a5c706")) ==
        "SharedKey devstoreaccount1:0c3C8Va1uD2rnKC8yK38LjxI18BOxwBSvBl4cv3mmxk=");
  CHECK(signature_of(made_by_sdk("GET", "?comp=list&prefix=ns%2Fhub%2F%24default%2Fownership%2F&restype=container&include=metadata",
                                 "4a2a8110-de0e-4317-89d7-c2a96a3bfcee")) ==
        "SharedKey devstoreaccount1:TQ3tTB8ufbv3Q87br78xENqBecj6pByFP2wwgnmAasI=");
  CHECK(signature_of(made_by_sdk("DELETE", blob, "5b11496a-ec9a-4c1b-a344-c23683f7411c")) ==
        "SharedKey devstoreaccount1:lV3aSqE95E+ZQV865ko5A12tg5fx1pdwO8QMElcHhBo=");
}

// The examples of "Authorize with Shared Key".
TEST_CASE("what is signed is what the documentation shows", "[azure][signing]") {
  net::request r("GET", "");
  r.headers.add("x-ms-version", "2015-02-21").add("X-MS-Date", "  Fri, 26 Jun 2015 23:39:12 GMT ");
  CHECK(azure::detail::string_to_sign(r, "myaccount", "/mycontainer?restype=container&comp=metadata&timeout=20") ==
        "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\n"
        "comp:metadata\nrestype:container\ntimeout:20");
  net::request const bare("GET", "");
  CHECK(azure::detail::string_to_sign(
            bare, "myaccount", "/mycontainer?restype=container&comp=list&include=snapshots&include=metadata&include=uncommittedblobs") ==
        "GET\n\n\n\n\n\n\n\n\n\n\n\n/myaccount/mycontainer\ncomp:list\ninclude:metadata,snapshots,uncommittedblobs\nrestype:container");
  CHECK(azure::detail::string_to_sign(bare, "myaccount", "/mycontainer/myblob") ==
        "GET\n\n\n\n\n\n\n\n\n\n\n\n/myaccount/mycontainer/myblob");
}

TEST_CASE("a request that is signed again has one signature", "[azure][signing]") {
  net::request r("GET", std::string(container) + "/b");
  azure::shared_key const by(account, key);
  azure::sign(r, by, 0);
  azure::sign(r, by, new_year);
  CHECK(r.headers.size() == 2);
  CHECK(r.headers.find("x-ms-date") == "Mon, 01 Jan 2024 00:00:00 GMT");
}

TEST_CASE("a key that is none is refused, and not shown", "[azure][signing]") {
  fails_with(errc::invalid_option, [] { azure::shared_key("a", "no key!"); }, "it is no base64", "Access keys");
  fails_with(errc::invalid_option, [] { azure::shared_key("", key); }, "it has no account");
  try {
    azure::shared_key("a", "no key!");
  } catch (error const& e) {
    CHECK(std::string(e.what()).find("no key!") == std::string::npos);
  }
}
