#include <weir/operators/partition_by.hpp>

#include <limits>
#include <string>

namespace weir::detail {

void check_partition_by(partition_by_options o) {
  if (o.max_elements != 0 && o.max_elements <= std::numeric_limits<std::uint32_t>::max()) return;
  throw error(errc::invalid_option, "partition_by: cannot be built", "max_elements is " + std::to_string(o.max_elements),
              "give it 1 to 4294967295");
}

void throw_batch_too_large(std::size_t max_elements) {
  throw error(errc::too_large, "partition_by: cannot hold the batch", "it has more than " + std::to_string(max_elements) + " elements",
              "use key_by with a window, which works on a stream without end, or raise max_elements");
}

}  // namespace weir::detail
