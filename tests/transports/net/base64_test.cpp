#include <weir/net/base64.hpp>

#include "support/catch.hpp"

using namespace weir;

TEST_CASE("base64 has the RFC's examples", "[net][base64]") {
  // RFC 4648, section 10.
  std::pair<std::string, std::string> const examples[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (auto const& [bytes, text] : examples) {
    CHECK(net::to_base64(bytes) == text);
    CHECK(net::from_base64(text) == bytes);
  }
}

TEST_CASE("every byte survives base64", "[net][base64]") {
  std::string all;
  for (int b = 0; b != 256; ++b) all += static_cast<char>(b);
  for (std::size_t cut = 0; cut != 3; ++cut) CHECK(net::from_base64(net::to_base64(all.substr(cut))) == all.substr(cut));
}

TEST_CASE("what base64 is not written like is no base64", "[net][base64]") {
  for (char const* const text :
       {"Zg", "Zg=", "Zg==\n", " Zg==", "Z===", "====", "Zh==", "Zm9-", "Zm9_", "Zm 9v", "Zg==Zg==", "Z\xc3\xa4=="})
    CHECK(net::from_base64(text) == std::nullopt);
}
