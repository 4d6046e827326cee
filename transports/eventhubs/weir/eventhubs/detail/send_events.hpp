#pragma once
#include <weir/eventhubs/detail/client_state.hpp>
#include <weir/eventhubs/detail/outgoing_events.hpp>
#include <weir/outside_write.hpp>
#include <weir/task.hpp>

#include <memory>

namespace weir::eventhubs::detail {

// As `client::send` says. `what` has what was not taken, when it fails.
task<> send_events(std::shared_ptr<client_state> s, std::shared_ptr<outgoing_events> what);
// As `client::write` says.
std::shared_ptr<outside_write> events_write(std::shared_ptr<client_state> s, outgoing_events what);

}  // namespace weir::eventhubs::detail
