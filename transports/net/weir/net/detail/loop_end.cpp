#include <weir/net/detail/loop_end.hpp>

#include <weir/net/detail/connection_pool.hpp>

#include <utility>

namespace weir::net::detail {

void loop_end::watch(std::weak_ptr<connection_pool> pool) {
  std::lock_guard const held(lock_);
  std::erase_if(pools_, [](auto const& p) { return p.expired(); });
  pools_.push_back(std::move(pool));
}

void loop_end::shutdown() {
  std::vector<std::weak_ptr<connection_pool>> pools;
  {
    std::lock_guard const held(lock_);
    pools = std::exchange(pools_, {});
  }
  for (auto const& p : pools)
    if (auto const pool = p.lock()) pool->drop_all_of(context());
}

}  // namespace weir::net::detail
