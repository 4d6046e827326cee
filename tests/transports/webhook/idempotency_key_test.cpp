#include <weir/webhook/idempotency_key.hpp>

#include "support/catch.hpp"

#include <set>

using namespace weir;
using webhook::key_of_batch;
using webhook::key_of_row;

TEST_CASE("a key is the same on every machine and in every version", "[webhook][key]") {
  // The first 32 digits of `sha256sum` of "batch3:app5:ticks1:02::h1:71:03:[1]" and of "row3:app2:::5:a.b.c".
  CHECK(key_of_batch(checkpoint_key("app", "ticks", "0"), ":h", 7, 0, "[1]") == "c82cdff81a1b6727dbe4316d6c592cd5");
  CHECK(key_of_row("app", "::", "a.b.c") == "915eefea7f66117da917f8cb813da041");
}

TEST_CASE("whatever differs makes another key", "[webhook][key]") {
  checkpoint_key const k("a", "b", "c");
  std::set<std::string> const keys{key_of_batch(k, "s", 1, 0, "[1]"),
                                   key_of_batch(k, "s", 1, 0, "[2]"),
                                   key_of_batch(k, "s", 1, 1, "[1]"),
                                   key_of_batch(k, "s", 2, 0, "[1]"),
                                   key_of_batch(k, "t", 1, 0, "[1]"),
                                   key_of_batch(checkpoint_key("x", "b", "c"), "s", 1, 0, "[1]"),
                                   key_of_batch(checkpoint_key("a", "x", "c"), "s", 1, 0, "[1]"),
                                   key_of_batch(checkpoint_key("a", "b", "x"), "s", 1, 0, "[1]"),
                                   key_of_batch(checkpoint_key("ab", "", "c"), "s", 1, 0, "[1]"),
                                   key_of_row("a", "s", "1"),
                                   key_of_row("a", "s", "2"),
                                   key_of_row("a", "t", "1"),
                                   key_of_row("b", "s", "1"),
                                   key_of_row("as", "", "1")};
  CHECK(keys.size() == 14);
  for (auto const& key : keys) CHECK(key.find_first_not_of("0123456789abcdef") == std::string::npos);
}
