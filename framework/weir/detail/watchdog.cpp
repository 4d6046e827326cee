#include <weir/detail/watchdog.hpp>

#include <weir/log.hpp>

#include <utility>

namespace weir::detail {

void watchdog::fire() noexcept {
  try {
    tell_();
    look();
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory: another time
  }
  start();
}

void watchdog::look() {
  application_figures const now = status_.look(context_.clock().steady());
  if (now.stall_after.count() <= 0) return;
  std::set<std::string> stalled;
  for (partition_figures const& p : now.partitions) {
    std::string const id = "pipeline " + p.pipeline + ", partition " + p.partition;
    if (p.stalled(now.stall_after)) {
      if (!said_.contains(id)) context_.log().warning("application: a partition is stalled: " + p.text());
      stalled.insert(id);
    } else if (said_.contains(id)) {
      context_.log().info("application: a partition is no longer stalled: " + p.text());
    }
  }
  said_ = std::move(stalled);
}

}  // namespace weir::detail
