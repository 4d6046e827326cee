#include <weir/error.hpp>
#include <weir/eventhubs/condition.hpp>

#include "support/catch.hpp"

using namespace weir;
using eventhubs::reaction;
using eventhubs::reaction_to;

// What the official clients do with each: research on Event Hubs, section 6.
TEST_CASE("each condition has its reaction", "[eventhubs]") {
  for (auto const* const name :
       {"amqp:internal-error", "com.microsoft:timeout", "com.microsoft:operation-cancelled", "amqp:link:detach-forced",
        "amqp:connection:forced", "amqp:link:transfer-limit-exceeded", "something:else", ""}) {
    CHECK(reaction_to(name) == reaction::again);
    CHECK(eventhubs::code_of(name) == condition::retryable);
  }
  CHECK(reaction_to("com.microsoft:server-busy") == reaction::later);
  CHECK(eventhubs::code_of("com.microsoft:server-busy") == condition::throttled);
  CHECK(reaction_to("amqp:unauthorized-access") == reaction::new_token);
  CHECK(reaction_to("com.microsoft:georeplication:invalid-offset") == reaction::from_start);
  CHECK(reaction_to("amqp:link:stolen") == reaction::let_go);
  CHECK(eventhubs::code_of("amqp:link:stolen") == condition::fenced);
  CHECK(reaction_to("com.microsoft:producer-epoch-stolen") == reaction::let_go);
  for (auto const* const name : {"amqp:not-found", "amqp:not-allowed", "amqp:not-implemented", "amqp:resource-limit-exceeded",
                                 "amqp:link:message-size-exceeded", "com.microsoft:argument-error", "com.microsoft:argument-out-of-range",
                                 "com.microsoft:entity-disabled", "com.microsoft:out-of-order-sequence"}) {
    CHECK(reaction_to(name) == reaction::give_up);
    CHECK_FALSE(eventhubs::code_of(name) == condition::retryable);
  }
  CHECK(eventhubs::code_of("amqp:not-found") == condition::not_found);
}
