#include <weir/detail/stale_checkpoint.hpp>

#include <weir/error.hpp>

namespace weir::detail {

void throw_stale(checkpoint_key const& key, position const& offered, position const& stored) {
  throw error(errc::stale, "checkpoint: cannot save", "the store has position " + stored.text() + " already",
              "another worker got further: let it go on, or end it and begin from its checkpoint")
      .with_stream(key.stream)
      .with_partition(key.partition)
      .with_position(offered.text())
      .with_detail("pipeline " + key.pipeline);
}

}  // namespace weir::detail
