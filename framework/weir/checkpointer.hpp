#pragma once
#include <weir/position.hpp>
#include <weir/task.hpp>

#include <optional>

namespace weir {
namespace detail {
class progress;
}

/// A handler's hand on its progress. The *frontier* is the largest position such that every record up to it is completely done; it is the
/// only thing that is ever committed. It moves by itself: the pull is the acknowledgement. It never moves back, and nobody can
/// move it past a record that is not done.
///
/// Lives as long as the handler's run. Strand only.
class checkpointer {
public:
  explicit checkpointer(detail::progress& p) noexcept : progress_(&p) {}

  /// Commits now, instead of when the commit policy next would: "all I was given so far, the element I hold included, is done". What
  /// operators in between still keep back (an open window, a batch, elements in flight) is not, and stays out; behind an operator
  /// that runs ahead or has state, the commit is that of the last barrier that came through.
  ///
  /// Returns when the store has it. Fails with the store's error, and the frontier stays. Does nothing when nothing is newer.
  task<> checkpoint();

  /// Everything up to here is done; none: nothing yet.
  std::optional<position> frontier() const noexcept;
  /// What the store has.
  std::optional<position> committed() const noexcept;

private:
  detail::progress* progress_;
};

}  // namespace weir
