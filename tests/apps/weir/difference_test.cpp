#include <difference.hpp>

#include "conformance/state_store_conformance.hpp"
#include "support/catch.hpp"

using namespace state_tool;
using weir::position;
using weir::saved_checkpoint;
using weir::test::entry;
using weir::test::head;

TEST_CASE("checkpoints differ in fields of their heads, and in entries that one lacks or that have other values") {
  saved_checkpoint const a(head(1, position(1), 5),
                           {entry("v", "a", "1"), entry("w", "a", "1"), entry("w", "b", "1"), entry("w", "\xff", "")});
  CHECK(compare(a, a).empty());
  saved_checkpoint const b(head(2, position(1), 5),
                           {entry("w", "a", "1"), entry("w", "aa", "1"), entry("w", "b", "2"), entry("x", "", "")});
  auto const found = compare(a, b);
  REQUIRE(found.fields.size() == 1);
  CHECK(std::string(found.fields[0].field) == "version");
  CHECK(found.fields[0].a == "1");
  CHECK(found.fields[0].b == "2");
  REQUIRE(found.entries.size() == 5);
  CHECK((found.entries[0].a == &a.entries[0] && !found.entries[0].b));
  CHECK((!found.entries[1].a && found.entries[1].b == &b.entries[1]));
  CHECK((found.entries[2].a == &a.entries[2] && found.entries[2].b == &b.entries[2]));
  CHECK((found.entries[3].a == &a.entries[3] && !found.entries[3].b));
  CHECK((!found.entries[4].a && found.entries[4].b == &b.entries[3]));
  CHECK(compare(a, saved_checkpoint(a.head)).entries.size() == 4);
  CHECK(compare(saved_checkpoint(a.head), a).entries.size() == 4);
}
