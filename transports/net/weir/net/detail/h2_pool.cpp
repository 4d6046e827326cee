#include <weir/net/detail/h2_pool.hpp>

#include <algorithm>

namespace weir::net::detail {
namespace asio = boost::asio;

std::shared_ptr<h2_connection> h2_pool::find(std::string const& origin, asio::any_io_executor const& strand) {
  std::lock_guard const held(lock_);
  std::erase_if(all_, [](entry const& e) { return e.made.expired(); });
  for (entry const& e : all_) {
    if (e.origin != origin || e.strand != strand) continue;
    if (auto c = e.made.lock(); c && c->has_room()) return c;
  }
  return nullptr;
}

std::shared_ptr<h2_pool::attempt> h2_pool::under_way(std::string const& origin, asio::any_io_executor const& strand) const {
  std::lock_guard const held(lock_);
  auto const found = std::ranges::find_if(attempts_, [&](auto const& a) { return a->origin == origin && a->strand == strand; });
  return found == attempts_.end() ? nullptr : *found;
}

void h2_pool::add(std::string const& origin, asio::any_io_executor const& strand, std::shared_ptr<h2_connection> const& c) {
  loop_end::tell(weak_from_this(), strand);
  std::lock_guard const held(lock_);
  all_.emplace_back(origin, strand, c);
}

std::size_t h2_pool::size() const {
  std::lock_guard const held(lock_);
  return static_cast<std::size_t>(std::ranges::count_if(all_, [](entry const& e) { return !e.made.expired(); }));
}

void h2_pool::drop_all_of(asio::execution_context& loop) noexcept {
  std::lock_guard const held(lock_);
  std::erase_if(all_, [&](entry const& e) { return &loop_end::loop_of(e.strand) == &loop; });
  std::erase_if(attempts_, [&](auto const& a) { return &loop_end::loop_of(a->strand) == &loop; });
}

h2_pool::attempting::attempting(h2_pool& p, std::string const& origin, asio::any_io_executor const& strand)
    : pool_(p), mine_(std::make_shared<attempt>(origin, strand)) {
  loop_end::tell(pool_.weak_from_this(), strand);
  std::lock_guard const held(pool_.lock_);
  pool_.attempts_.push_back(mine_);
}

h2_pool::attempting::~attempting() {
  {
    std::lock_guard const held(pool_.lock_);
    std::erase(pool_.attempts_, mine_);
  }
  mine_->over.wake();
}

}  // namespace weir::net::detail
