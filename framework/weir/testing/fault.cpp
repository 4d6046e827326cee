#include <weir/testing/fault.hpp>

namespace weir::testing {

std::string_view text(fault f) noexcept {
  switch (f) {
    case fault::fail: return "fails";
    case fault::lost_ack: return "is done, but its answer is lost";
    case fault::delay: return "is delayed";
    case fault::duplicate: return "is done twice";
    case fault::crash_before: return "crash before it";
    case fault::crash_after: return "crash after it";
    default: return "goes well";
  }
}

}  // namespace weir::testing
