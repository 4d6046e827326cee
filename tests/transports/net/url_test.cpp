#include <weir/net/url.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

using namespace weir;
using net::url;
using net::url_fault;
using test::fails_with;

namespace {
url_fault fault_of(std::string_view text) {
  auto const parsed = url::parse(text);
  REQUIRE(!parsed);
  return parsed.error();
}
}  // namespace

TEST_CASE("a URL says where a request goes", "[net][url]") {
  // RFC 3986, section 1.1.2, and RFC 9110, section 4.2.1.
  auto const rfc = url::parse("http://www.ietf.org/rfc/rfc2396.txt").value();
  CHECK_FALSE(rfc.secure());
  CHECK(rfc.host() == "www.ietf.org");
  CHECK(rfc.port() == 80);
  CHECK(rfc.target() == "/rfc/rfc2396.txt");
  CHECK(rfc.origin() == "http://www.ietf.org");
  auto const full = url::parse("HTTPS://Example.COM:8443/a%20b/;p?q=1&r=%2F#there").value();
  CHECK(full.secure());
  CHECK(full.host() == "example.com");
  CHECK(full.port() == 8443);
  CHECK(full.target() == "/a%20b/;p?q=1&r=%2F");
  CHECK(full.authority() == "example.com:8443");
  CHECK(full.origin() == "https://example.com:8443");
}

TEST_CASE("what a URL leaves out is filled in", "[net][url]") {
  CHECK(url::parse("https://example.com").value().target() == "/");
  CHECK(url::parse("https://example.com?x").value().target() == "/?x");
  CHECK(url::parse("https://example.com:").value().port() == 443);
  // RFC 9110, section 4.2.3: these are the same.
  for (char const* const same :
       {"http://example.com:80/~smith/home.html", "http://EXAMPLE.com/~smith/home.html", "http://EXAMPLE.com:/~smith/home.html"}) {
    auto const u = url::parse(same).value();
    CHECK(u.origin() + u.target() == "http://example.com/~smith/home.html");
  }
}

TEST_CASE("an address may stand for a host", "[net][url]") {
  auto const six = url::parse("http://[2001:DB8::7]:8080/c=GB?objectClass?one").value();  // after RFC 3986, section 1.1.2
  CHECK(six.host() == "2001:db8::7");
  CHECK(six.authority() == "[2001:db8::7]:8080");
  CHECK(six.target() == "/c=GB?objectClass?one");
  CHECK(url::parse("http://192.0.2.16:80/").value().host() == "192.0.2.16");
}

TEST_CASE("where no request can go is refused, with the reason", "[net][url]") {
  // The first five from RFC 3986, section 1.1.2.
  for (char const* const text :
       {"ftp://ftp.is.co.za/rfc/rfc1808.txt", "mailto:John.Doe@example.com", "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212", "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "ws://example.com/"})
    CHECK(fault_of(text) == url_fault::other_scheme);
  for (char const* const text :
       {"", "example.com", "/path", "//example.com/path", "http://a b/", "http://example.com/ä", "http://example.com/a b", "http://[::1/",
        "http://exa%6dple.com/", "http://example.com/\r\nHost:x", "http://example.com:http/"})
    CHECK(fault_of(text) == url_fault::malformed);
  for (char const* const text : {"http:///path", "http:/path", "http://:80/"}) CHECK(fault_of(text) == url_fault::no_host);
  for (char const* const text : {"http://me@example.com/", "http://me:secret@example.com/"}) CHECK(fault_of(text) == url_fault::user_info);
  for (char const* const text : {"http://example.com:0/", "http://example.com:65536/", "http://example.com:99999999999/"})
    CHECK(fault_of(text) == url_fault::bad_port);
  fails_with(errc::invalid_option, [] { (void)url::parse("http:/path").value(); }, "names no host");
}
