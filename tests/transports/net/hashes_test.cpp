#include <weir/net/hashes.hpp>

#include "support/catch.hpp"

#include <string_view>

using namespace weir;
using namespace std::string_view_literals;

TEST_CASE("SHA-256 has the standard's examples", "[net][hashes]") {
  // FIPS 180-4's examples, csrc.nist.gov "SHA256.pdf"; the empty message from NIST's SHA256ShortMsg.rsp.
  CHECK(net::to_hex(net::sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(net::to_hex(net::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(net::to_hex(net::sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("SHA-1 has the standard's example", "[net][hashes]") {
  // FIPS 180-4's example, csrc.nist.gov "SHA1.pdf"; the empty message from NIST's SHA1ShortMsg.rsp.
  CHECK(net::to_hex(net::sha1("abc")) == "a9993e364706816aba3e25717850c26c9cd0d89d");
  CHECK(net::to_hex(net::sha1("")) == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

TEST_CASE("HMAC has the RFC's examples", "[net][hashes]") {
  // RFC 4231, sections 4.2, 4.3 and 4.7: a key of 20 bytes, a short one, and one longer than a block.
  CHECK(net::to_hex(net::hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(net::to_hex(net::hmac_sha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(net::to_hex(net::hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("no key is an empty key, whatever was signed before", "[net][hashes]") {
  // By `openssl dgst -sha256 -hmac ""` of an empty file.
  (void)net::hmac_sha256("Jefe", "x");
  CHECK(net::to_hex(net::hmac_sha256({}, "")) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST_CASE("MD5 has the RFC's examples", "[net][hashes]") {
  // RFC 1321, section A.5.
  CHECK(net::bytes_of(net::md5("")) == "\xd4\x1d\x8c\xd9\x8f\x00\xb2\x04\xe9\x80\x09\x98\xec\xf8\x42\x7e"sv);
  CHECK(net::bytes_of(net::md5("message digest")) == "\xf9\x6b\x69\x7d\x7c\xb7\x93\x8d\x52\x5a\x2f\x31\xaa\xf1\x61\xd0"sv);
}
