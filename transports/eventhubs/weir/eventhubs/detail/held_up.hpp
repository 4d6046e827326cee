#pragma once
#include <weir/environment.hpp>
#include <weir/error.hpp>

#include <string_view>

namespace weir::eventhubs::detail {

// Something has failed `failures` times in a row and is tried again: said each time there are four times as many; and counted, where the
// service is busy.
void held_up(environment& env, std::string_view what, unsigned failures, error const& why);

}  // namespace weir::eventhubs::detail
