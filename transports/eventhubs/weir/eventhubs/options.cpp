#include <weir/eventhubs/options.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/detail/read_partition.hpp>
#include <weir/eventhubs/detail/sharing_state.hpp>
#include <weir/eventhubs/detail/source_state.hpp>

#include <utility>

namespace weir::eventhubs {

void options::check() const {
  auto const require = [](bool holds, char const* what) {
    if (!holds) throw error(errc::invalid_option, "event hubs: cannot make a source", what);
  };
  require(connection_string.empty() || client.connection_string.empty(), "connection_string is given twice; once is enough");
  require(event_hub.empty() || client.event_hub.empty(), "event_hub is given twice; once is enough");
  require(discover > std::chrono::nanoseconds(0), "discover is not above zero");
  detail::check(detail::receiver_options_of(*this));
  if (sharing) detail::check(*sharing);
}

}  // namespace weir::eventhubs
