#include <symbol.hpp>

#include "support/catch.hpp"

#include <string>

using ticks::symbol;

TEST_CASE("a symbol is a name of 1 to 23 bytes") {
  CHECK(symbol::from("BTCUSDT").value().view() == "BTCUSDT");
  CHECK(symbol::from(std::string(23, 'x')).value().view() == std::string(23, 'x'));
  CHECK_FALSE(symbol::from(""));
  CHECK_FALSE(symbol::from(std::string(24, 'x')));
}

TEST_CASE("symbols are equal when their names are") {
  CHECK(symbol::from("ETH") == symbol::from("ETH"));
  CHECK_FALSE(symbol::from("ETH") == symbol::from("ETHX"));
  CHECK_FALSE(symbol::from("ETH") == symbol::from(std::string_view("ETH\0", 4)));
  CHECK(hash_value(*symbol::from("ETH")) == hash_value(*symbol::from("ETH")));
  CHECK(hash_value(*symbol::from("ETH")) != hash_value(*symbol::from("HTE")));
}
