#pragma once
#include <weir/sink_write.hpp>

namespace weir {

class state_store;

/// What a sink adds to a commit: its rows, in the words of one kind of store. The store writes them in the transaction of the checkpoint,
/// so that both are there, or neither is.
///
/// Each kind of store has its own, derived from this: `memory_write`, `sqlite::write`, `postgres::write`.
class store_write : public sink_write {
public:
  /// Who can do it. Must outlive it.
  state_store const& store() const noexcept { return *store_; }

protected:
  explicit store_write(state_store const& by) noexcept : store_(&by) {}

private:
  state_store const* store_;
};

}  // namespace weir
