#include <weir/eventhubs/detail/held_up.hpp>

#include <bit>
#include <string>

namespace weir::eventhubs::detail {

void log_held_up(logger const& log, std::string_view what, unsigned failures, error const& why) {
  if (!std::has_single_bit(failures) || std::countr_zero(failures) % 2 != 0 || failures == 1) return;
  log.warning("event hubs: " + std::string(what) + " is held up (failed " + std::to_string(failures) +
              " times in a row): it is tried again; " + why.what());
}

}  // namespace weir::eventhubs::detail
