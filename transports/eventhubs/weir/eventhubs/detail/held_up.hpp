#pragma once
#include <weir/error.hpp>
#include <weir/log.hpp>

#include <string_view>

namespace weir::eventhubs::detail {

// Says that something has failed `failures` times in a row and is tried again: each time there are four times as many.
void log_held_up(logger const& log, std::string_view what, unsigned failures, error const& why);

}  // namespace weir::eventhubs::detail
