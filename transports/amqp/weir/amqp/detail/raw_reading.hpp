#pragma once
#include <weir/amqp/value_view.hpp>

namespace weir::amqp::detail {

// Reads a value to where it is to be. What is wrong, 0: nothing; `out` is a null.
struct raw_reading {
  static errc take(value_reader& from, value_view& out) noexcept { return from.take(out); }
};

}  // namespace weir::amqp::detail
