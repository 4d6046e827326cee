#include <weir/checkpointer.hpp>
#include <weir/detail/progress.hpp>

namespace weir {

task<> checkpointer::checkpoint() {
  progress_->settle(true);
  return progress_->commit();
}

std::optional<position> checkpointer::frontier() const noexcept { return progress_->frontier(); }
std::optional<position> checkpointer::committed() const noexcept { return progress_->committed(); }

}  // namespace weir
