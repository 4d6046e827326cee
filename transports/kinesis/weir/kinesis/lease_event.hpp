#pragma once
#include <weir/kinesis/lease.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace weir::kinesis {

/// What has become of a lease, for who works on the shard.
enum class lease_event_kind : std::uint8_t {
  gained,        ///< it is ours: begin behind its checkpoint
  asked_for,     ///< another worker will have it: finish what is there, checkpoint, and then `lease_worker::hand_over`
  checkpointed,  ///< the checkpoint is in the table
  ended,         ///< the same, and it is SHARD_END: there is nothing left to do
  lost,          ///< it is not ours any more: stop at once, and commit nothing
};

/// An event. A value.
struct lease_event {
  lease_event(lease_event_kind k, lease l, std::string because = {}) noexcept : what(k), of(std::move(l)), why(std::move(because)) {}

  lease_event_kind what;
  lease of;         ///< as it is in the table, as far as that is known
  std::string why;  ///< of `lost`: a sentence
};

}  // namespace weir::kinesis
