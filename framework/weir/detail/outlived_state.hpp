#pragma once
#include <weir/detail/succession.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <memory>

namespace weir::detail {

// Deletes what operators have kept for those that the partition of `key` goes on from, of which each heir has begun: its first checkpoint
// has what is its own, and nobody takes that over again. The checkpoints themselves stay, at their ends. What is forgotten here because the
// process ends is deleted at the next start of one of the heirs. Where heirs are not known, the state stays. Fails as the store does.
task<> delete_outlived(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order);

}  // namespace weir::detail
