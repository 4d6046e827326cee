#include <weir/net/percent.hpp>

#include "support/catch.hpp"

#include <string>

using namespace weir;

TEST_CASE("bytes that are not unreserved are percent-encoded, and decoded again", "[net][percent]") {
  // RFC 3986, sections 2.1 and 2.3; the euro sign in UTF-8 is E2 82 AC (RFC 3629).
  std::string const text = "aZ09-._~ $/%+\xe2\x82\xac";
  std::string out;
  for (char const c : text) net::percent_encode(c, out);
  CHECK(out == "aZ09-._~%20%24%2F%25%2B%E2%82%AC");
  CHECK(net::percent_decoded(out) == text);
  CHECK(net::percent_decoded("%2f+%zz%4") == "/+%zz%4");
}
