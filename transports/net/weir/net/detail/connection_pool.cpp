#include <weir/net/detail/connection_pool.hpp>

#include <algorithm>
#include <utility>

namespace weir::net::detail {
namespace asio = boost::asio;

std::unique_ptr<connection> connection_pool::take(std::string const& origin, asio::any_io_executor const& strand) {
  std::vector<idle> unfit;  // closed without the lock
  std::lock_guard const held(lock_);
  for (std::size_t i = idle_.size(); i-- != 0;) {
    if (idle_[i].origin != origin || idle_[i].strand != strand) continue;
    idle found = std::move(idle_[i]);
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
    if (clock::now() - found.since < longest_ && found.kept->quiet()) return std::move(found.kept);
    unfit.push_back(std::move(found));
  }
  return nullptr;
}

void connection_pool::give_back(std::string const& origin, std::unique_ptr<connection> c) {
  if (most_ == 0 || longest_ <= longest_.zero()) return;
  asio::any_io_executor const strand = c->executor();
  loop_end::tell(weak_from_this(), strand);
  std::lock_guard const held(lock_);
  auto const same = [&](idle const& i) { return i.origin == origin && i.strand == strand; };
  if (static_cast<std::size_t>(std::ranges::count_if(idle_, same)) < most_) idle_.emplace_back(origin, strand, std::move(c));
}

std::size_t connection_pool::size() const {
  std::lock_guard const held(lock_);
  return idle_.size();
}

void connection_pool::drop_all_of(asio::execution_context& loop) noexcept {
  std::lock_guard const held(lock_);
  std::erase_if(idle_, [&](idle const& i) { return &loop_end::loop_of(i.strand) == &loop; });
}

}  // namespace weir::net::detail
