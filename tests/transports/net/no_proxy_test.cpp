#include <weir/net/detail/no_proxy.hpp>

#include "support/catch.hpp"
#include "support/fails_with.hpp"

#include <string>

using namespace weir;
using net::detail::no_proxy;
using test::fails_with;

TEST_CASE("NO_PROXY has names, with all that is below them", "[net][proxy]") {
  no_proxy const list(" Example.com,.internal.\t*.below.org,, ");
  for (char const* const host :
       {"example.com", "a.example.com", "a.b.example.com", "example.com.", "internal", "x.internal", "a.below.org"})
    CHECK(list.covers(host, 443));
  for (char const* const host : {"badexample.com", "example.com.evil.org", "com", "example.org", "below.org", "10.0.0.1", ""})
    CHECK_FALSE(list.covers(host, 443));
}

TEST_CASE("NO_PROXY has addresses and networks", "[net][proxy]") {
  no_proxy const list("10.0.0.0/8,192.168.1.7,fd00::/8,[::2],2001:db8::1,172.16.5.9/12");
  for (char const* const host : {"10.0.0.0", "10.255.255.255", "192.168.1.7", "fd00::", "fdff::1", "::2", "2001:db8::1", "172.31.255.255"})
    CHECK(list.covers(host, 80));
  for (char const* const host : {"11.0.0.0", "9.255.255.255", "192.168.1.8", "fe00::", "::3", "2001:db8::2", "172.32.0.0", "ten.com", "10"})
    CHECK_FALSE(list.covers(host, 80));
}

TEST_CASE("NO_PROXY has ports", "[net][proxy]") {
  no_proxy const list("example.com:8443,10.0.0.0/8:80,[::1]:81");
  CHECK(list.covers("example.com", 8443));
  CHECK(list.covers("a.example.com", 8443));
  CHECK_FALSE(list.covers("example.com", 443));
  CHECK(list.covers("10.1.2.3", 80));
  CHECK_FALSE(list.covers("10.1.2.3", 81));
  CHECK(list.covers("::1", 81));
  CHECK_FALSE(list.covers("::1", 80));
}

TEST_CASE("NO_PROXY has all, or nobody", "[net][proxy]") {
  CHECK(no_proxy("a, *").covers("example.com", 1));
  CHECK(no_proxy("*").covers("::1", 1));
  CHECK_FALSE(no_proxy("").covers("example.com", 1));
}

TEST_CASE("what NO_PROXY cannot mean is refused", "[net][proxy]") {
  for (std::string const entry : {"10.0.0.0/33", "fd00::/129", "example.com:0", "example.com:65536", "example.com:x", "..", "10.0.0.0/"})
    fails_with(errc::invalid_option, [&] { no_proxy("a," + entry); }, "NO_PROXY", '"' + entry + '"');
}
