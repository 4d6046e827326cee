#include "kinesis_commands.hpp"

#ifndef WEIR_HAS_KINESIS
#include <weir/error.hpp>
#endif

namespace kinesis_tool {

#ifdef WEIR_HAS_KINESIS
int run_kinesis(options const& o) {
  switch (o.what) {
    case options::task::put: return put(o);
    case options::task::leases: return leases(o);
    case options::task::lag: return lag(o);
    case options::task::tail: break;
  }
  return tail(o);
}
#else
int run_kinesis(options const&) {
  throw weir::error(weir::errc::invalid_option, "weir: cannot reach Kinesis", "this program was built without kinesis",
                    "build it with kinesis in WEIR_COMPONENTS");
}
#endif

}  // namespace kinesis_tool
