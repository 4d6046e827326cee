#pragma once
#include <weir/memory_state_store.hpp>
#include <weir/store_write.hpp>

namespace weir {

/// What a sink writes with a commit to a `memory_state_store`: `memory_table` makes such.
class memory_write : public store_write {
public:
  /// Once, when the commit has been accepted; on the strand of who commits.
  virtual void apply() noexcept = 0;

protected:
  explicit memory_write(memory_state_store const& by) noexcept : store_write(by) {}
};

}  // namespace weir
