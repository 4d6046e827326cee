#include "hub_commands.hpp"

#ifndef WEIR_HAS_EVENTHUBS
#include <weir/error.hpp>
#endif

namespace hub_tool {

#ifdef WEIR_HAS_EVENTHUBS
int run_eventhubs(options const& o) {
  switch (o.what) {
    case options::task::send: return send(o);
    case options::task::tail: return tail(o);
    case options::task::lag: return lag(o);
    case options::task::ownership: return ownership(o);
    case options::task::partitions: break;
  }
  return partitions(o);
}
#else
int run_eventhubs(options const&) {
  throw weir::error(weir::errc::invalid_option, "weir: cannot reach Event Hubs", "this program was built without eventhubs",
                    "build it with eventhubs in WEIR_COMPONENTS");
}
#endif

}  // namespace hub_tool
