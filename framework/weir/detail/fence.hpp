#pragma once
#include <weir/assignment.hpp>
#include <weir/detail/succession.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::detail {

// A text that no other run of a pipeline has, anywhere.
std::string unique_writer();

// How far a pipeline has got by its checkpoint; none: it has been fenced, and nothing more.
std::optional<position> begun(saved_checkpoint const& saved) noexcept;

// `assignment_view::fence`. Where there is no checkpoint, it makes one that stands before everything and is empty. `order`: from which
// partitions this one may have to take over state; null: from none.
task<fenced_partition> fence(state_store& store, checkpoint_key key, std::optional<position> elsewhere,
                             std::shared_ptr<succession const> order);

}  // namespace weir::detail
