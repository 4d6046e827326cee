#include "bar_fold.hpp"

#include <weir/error.hpp>
#include <command_line/time_text.hpp>

#include <fmt/format.h>

namespace ticks {

void bar_fold::fail(tick const& t) {
  throw weir::error(
      weir::errc::out_of_range,
      fmt::format("ticks: cannot add to the volume (symbol {}, trade at {})", t.name.view(), command_line::time_text(t.time())),
      "the sum does not fit in 38 digits", "correct the sizes in the input");
}

void bar_fold::fail() {
  throw weir::error(weir::errc::out_of_range, "ticks: cannot merge two bars", "the sum of their volumes does not fit in 38 digits",
                    "correct the sizes in the input");
}

}  // namespace ticks
