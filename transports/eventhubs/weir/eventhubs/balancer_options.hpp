#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace weir::eventhubs {

/// How fast a consumer takes its share.
enum class balancing : std::uint8_t {
  balanced,  ///< one partition each time it looks, so that what each costs at its start is spread
  greedy,    ///< all of its share at once
};

/// How consumers of a group share its partitions. All of a group, official clients among them, need the same `expiry`, and about the same
/// `interval`. Times are of each consumer's own clock, which nobody compares with another's. The names in brackets are those of the
/// official clients.
struct balancer_options {
  balancing strategy = balancing::greedy;  ///< (loadBalancingStrategy; greedy is .NET's default, balanced that of JavaScript)
  /// How often it looks who has what, and renews what it has, > 0; at most an eighth sooner, at random, so that consumers which were
  /// started together do not look together (updateIntervalInMs).
  std::chrono::nanoseconds interval = std::chrono::seconds(10);
  /// How long a partition belongs to who has not renewed it, at least two intervals (partitionOwnershipExpirationIntervalInMs). Shorter:
  /// what a dead consumer had is taken sooner.
  std::chrono::nanoseconds expiry = std::chrono::seconds(60);
  std::size_t most_partitions = SIZE_MAX;  ///< that it holds, >= 1
};

}  // namespace weir::eventhubs
