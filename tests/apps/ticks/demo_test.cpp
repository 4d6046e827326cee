#include <demo.hpp>

#include "support/catch.hpp"

using namespace ticks;

// 1 + 2 + 4 + 8 + 16 + 32 = 63; the fourth tick (8) is delivered a second time: 71.
TEST_CASE("after a redelivery the idempotent fold has every tick once, the naive one has a tick twice") {
  CHECK(demonstrate(demo_fold::idempotent).volume.text() == "63");
  CHECK(demonstrate(demo_fold::naive).volume.text() == "71");
}
