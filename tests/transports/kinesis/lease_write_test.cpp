#include <weir/kinesis/lease_write.hpp>

#include "support/catch.hpp"

using namespace weir;
using kinesis::lease;
using kinesis::lease_write;
using kinesis::lease_write_kind;

// As KCL's own leader does it (initiateGracefulLeaseHandoff of DynamoDBLeaseRefresher, 3.1 and 3.5), and for its reason: the holder's next
// renewal builds on the counter it knows.
TEST_CASE("a lease is asked for without counting, so that a holder of KCL can go on until it hands over", "[kinesis][lease]") {
  lease l;
  l.key = "s";
  l.owner = "kcl";
  l.counter = 7;
  lease const asked = lease_write(lease_write_kind::ask_for, l, "weir").after();
  CHECK(asked.counter == 7);
  CHECK(asked.owner == "weir");
  CHECK(asked.checkpoint_owner == "kcl");
  CHECK(asked.owner_switches == 1);
  for (auto const what : {lease_write_kind::renew, lease_write_kind::checkpoint, lease_write_kind::take, lease_write_kind::hand_over,
                          lease_write_kind::evict, lease_write_kind::let_go}) {
    INFO("write " << static_cast<int>(what));
    CHECK(lease_write(what, l, "weir").after().counter == 8);
  }
}
