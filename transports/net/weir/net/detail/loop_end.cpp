#include <weir/net/detail/loop_end.hpp>

#include <boost/asio/query.hpp>

#include <algorithm>
#include <utility>

namespace weir::net::detail {
namespace asio = boost::asio;

asio::execution_context& loop_end::loop_of(asio::any_io_executor const& strand) { return asio::query(strand, asio::execution::context); }

void loop_end::tell(std::weak_ptr<loop_guest> who, asio::any_io_executor const& strand) {
  asio::use_service<loop_end>(loop_of(strand)).add(std::move(who));
}

void loop_end::add(std::weak_ptr<loop_guest> who) {
  std::lock_guard const held(lock_);
  std::erase_if(guests_, [](auto const& g) { return g.expired(); });
  auto const same = [&](auto const& g) { return !g.owner_before(who) && !who.owner_before(g); };
  if (std::ranges::none_of(guests_, same)) guests_.push_back(std::move(who));
}

void loop_end::shutdown() {
  std::vector<std::weak_ptr<loop_guest>> guests;
  {
    std::lock_guard const held(lock_);
    guests = std::exchange(guests_, {});
  }
  for (auto const& g : guests)
    if (auto const guest = g.lock()) guest->drop_all_of(context());
}

}  // namespace weir::net::detail
