#include <weir/net/headers.hpp>
#include <weir/net/request.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using test::fails_with;

TEST_CASE("names of headers have no case", "[net][headers]") {
  net::headers h;
  h.add("Content-Type", "text/plain").add("X-Seen", "1").add("x-seen", "2");
  CHECK(h.find("content-type") == "text/plain");
  CHECK(h.find("X-SEEN") == "1");
  CHECK(h.find("X-See") == std::nullopt);
  h.set("x-Seen", "3");
  CHECK(h.find("X-Seen") == "3");
  CHECK(h.size() == 2);
  h.erase("x-seen").erase("x-nothing");
  CHECK_FALSE(h.find("X-Seen"));
  CHECK(h.size() == 1);
}

TEST_CASE("a header cannot bring another one with it", "[net][headers]") {
  net::headers h;
  fails_with(errc::invalid_option, [&] { h.add("X-Name", "a\r\nHost: b"); }, "X-Name");
  fails_with(errc::invalid_option, [&] { h.add("X-Name", std::string("a\0b", 3)); }, "X-Name");
  fails_with(errc::invalid_option, [&] { h.set("X Name", "a"); }, "no name");
  fails_with(errc::invalid_option, [&] { h.add("", "a"); });
  CHECK(h.empty());
}

TEST_CASE("a request is idempotent by its method, or by its key", "[net][request]") {
  for (char const* const method : {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}) CHECK(net::is_idempotent(net::request(method, "")));
  net::request post("POST", "");
  CHECK_FALSE(net::is_idempotent(post));
  CHECK_FALSE(net::is_idempotent(net::request("PATCH", "")));
  post.headers.add("idempotency-key", "7");
  CHECK(net::is_idempotent(post));
}
