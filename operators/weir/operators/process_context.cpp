#include <weir/error.hpp>
#include <weir/operators/process_context.hpp>

#include <string>

namespace weir::detail {

void throw_no_timer_function(char const* function) {
  throw error(errc::misuse, "process: a timer cannot be set",
              std::string("the function has no ") + function + "(at, state, context) to call",
              std::string("write void ") + function + "(weir::instant at, state& s, auto& context)");
}

void throw_timer_not_later() {
  throw error(errc::misuse, "process: a timer cannot be set", "it would fire before or at the time of the timer that sets it, without end",
              "set it for a later time");
}

}  // namespace weir::detail
