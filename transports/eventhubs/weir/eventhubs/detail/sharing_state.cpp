#include <weir/eventhubs/detail/sharing_state.hpp>

#include <weir/azure/blob_container.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/balancer.hpp>
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/group_blobs.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

namespace weir::eventhubs::detail {
namespace {

// RFC 9562, version 4.
std::string random_uuid() {
  std::random_device any;
  std::array<char, 40> out{};
  unsigned const a = any(), b = any(), c = any(), d = any();
  std::snprintf(out.data(), out.size(), "%08x-%04x-4%03x-%04x-%04x%08x", a, b >> 16, b & 0xfff, (c >> 16 & 0x3fff) | 0x8000, c & 0xffff, d);
  return out.data();
}

}  // namespace

void check(partition_sharing const& s) {
  auto const require = [](bool holds, char const* what, char const* advice = "") {
    if (!holds) throw error(errc::invalid_option, "event hubs: cannot share partitions", what, advice);
  };
  require(s.checkpoint_every > std::chrono::nanoseconds(0), "checkpoint_every is not above zero");
  require(std::ranges::all_of(s.consumer, [](char c) { return c > ' ' && c <= '~'; }),
          "the name of the consumer has more than visible ASCII, which is all that metadata of blobs can have");
  require(!s.blobs.url.empty() || (s.ownership && s.checkpoints), "no container is given",
          "give sharing.blobs the container that the group's consumers share");
  balancer const with_these("checked", s.how, 1);
}

std::unique_ptr<sharing_state> sharing_of(options const& o, std::string_view host, std::string_view event_hub) {
  if (!o.sharing) return nullptr;
  partition_sharing const& s = *o.sharing;
  if (s.ownership && s.checkpoints) return std::make_unique<sharing_state>(s.ownership, s.checkpoints, "memory");
  azure::blob_container const box(s.blobs);
  group_blobs const names(host, event_hub, o.consumer_group);
  return std::make_unique<sharing_state>(s.ownership ? s.ownership : make_ownership_service(box, names),
                                         s.checkpoints ? s.checkpoints : make_checkpoint_service(checkpoint_blobs(box, names)), box.url());
}

std::string consumer_name(partition_sharing const& s) { return s.consumer.empty() ? random_uuid() : s.consumer; }

}  // namespace weir::eventhubs::detail
