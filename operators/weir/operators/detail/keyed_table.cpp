#include <weir/error.hpp>
#include <weir/operators/detail/keyed_table.hpp>

namespace weir::detail {

void throw_too_many_keys() {
  throw error(errc::too_large, "window: cannot take another key", "it has 4,294,967,295 keys",
              "partition the stream, or make windows smaller");
}

}  // namespace weir::detail
