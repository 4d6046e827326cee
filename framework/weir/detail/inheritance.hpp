#pragma once
#include <weir/detail/succession.hpp>
#include <weir/migration.hpp>
#include <weir/operator_state.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>
#include <vector>

// When a partition ends for good, its last checkpoint stands at its end and has all that was open then. A partition that goes on from
// there, and has no checkpoint, takes over from those that it follows what is its own, by key, and has it in its own first checkpoint,
// which stands before its first record. So no commit touches two checkpoints: a crash before the first one makes it take over the same
// again, and after that the old ones are of use to its siblings only, and deleted when these have theirs (`delete_outlived`).
//
// Event time goes on from the furthest of those that it follows: its records come behind all of theirs, as if one partition had had them
// in the order in which they came. So nothing that one of them has closed opens again, and what is late there is late here.
namespace weir::detail {

// Whether there is something to take over for the partition of `key`. Fails as the store does.
task<bool> inherits(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order);

// Adds to `into` what the partition of `key` takes over; where one that it follows has no checkpoint either, of those which that one
// follows. True: there is some. Fails as the store does, and as migrations do; with errc::misuse where the state of one that it follows
// does not stand at its end, since what is missing would be so silently.
task<bool> take_over(state_store& store, checkpoint_key key, std::shared_ptr<succession const> order, std::vector<migration> const& changes,
                     restored_state& into);

}  // namespace weir::detail
