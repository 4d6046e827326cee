#pragma once
#include <weir/assignment.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/eventhubs/checkpoint_service.hpp>
#include <weir/eventhubs/options.hpp>
#include <weir/eventhubs/ownership_service.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace weir::eventhubs::detail {

class sharing_loop;

// What a source has that shares its partitions by blobs. Strand only.
class sharing_state {
public:
  sharing_state(std::shared_ptr<ownership_service> o, std::shared_ptr<checkpoint_service> c, std::string place) noexcept
      : ownership(std::move(o)), checkpoints(std::move(c)), where(std::move(place)) {}
  sharing_state(sharing_state const&) = delete;
  sharing_state& operator=(sharing_state const&) = delete;

  std::shared_ptr<ownership_service> const ownership;
  std::shared_ptr<checkpoint_service> const checkpoints;
  std::string const where;             // they are, for messages
  std::deque<assignment> assignments;  // that the pipeline has not been told
  weir::detail::wait_list told;        // there are more
  weir::detail::wait_list taken;       // who reads what another has, until the pipeline cancels it; never woken
  sharing_loop* loop = nullptr;        // while the pipeline runs
};

// Null: all partitions are read here. Throws `errc::invalid_option`.
std::unique_ptr<sharing_state> sharing_of(options const& o, std::string_view host, std::string_view event_hub);
// Throws `errc::invalid_option` for what cannot be used to share.
void check(partition_sharing const& s);
// What this run is called in the blobs.
std::string consumer_name(partition_sharing const& s);

}  // namespace weir::eventhubs::detail
