#include <weir/eventhubs/selector.hpp>

#include "support/catch.hpp"

using namespace weir;
using namespace weir::eventhubs;

// As Microsoft's SDK for JavaScript writes them (captured): the values in quotes.
TEST_CASE("a start is said as a selector filter", "[eventhubs]") {
  CHECK(selector(from_earliest{}) == "amqp.annotation.x-opt-offset > '-1'");
  CHECK(selector(from_latest{}) == "amqp.annotation.x-opt-offset > '@latest'");
  CHECK(selector(starting_position{}) == selector(from_latest{}));
  from_offset offset;
  offset.offset = "29";
  CHECK(selector(offset) == "amqp.annotation.x-opt-offset > '29'");
  from_sequence_number number;
  number.sequence_number = 41;
  CHECK(selector(number) == "amqp.annotation.x-opt-sequence-number > '41'");
  number.inclusive = true;
  CHECK(selector(number) == "amqp.annotation.x-opt-sequence-number >= '41'");
  from_time time;
  time.enqueued = 1'795'961'202'175'999'999;
  CHECK(selector(time) == "amqp.annotation.x-opt-enqueued-time > '1795961202175'");
  time.enqueued = -1;
  CHECK(selector(time) == "amqp.annotation.x-opt-enqueued-time > '-1'");
}
