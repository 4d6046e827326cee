#pragma once
#include <weir/eventhubs/balancer_options.hpp>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weir::eventhubs {

/// A partition as a consumer sees it that looks for work.
struct partition_sight {
  partition_sight(std::string id, std::string by, bool may_be_had) noexcept
      : partition(std::move(id)), holder(std::move(by)), free(may_be_had) {}

  std::string partition;
  std::string holder;  ///< who has it; empty: nobody, or whoever had it has not renewed it for the expiry
  bool free;           ///< it may be claimed without taking it from anybody
};

/// Chooses the partitions that a consumer should claim: each is to have its share, the number of partitions by that of consumers, rounded
/// up. Claims free ones at random, so that consumers that look at the same time do not all want the same. Where there are none it steals
/// from the one that has most while that has two more, so that in the end nobody has, and then nobody steals. Pure but for `dice`.
/// Source: the balanced and greedy strategies of @azure/event-hubs 6.0.
std::vector<std::string> choose_partitions(std::string const& consumer, std::vector<partition_sight> const& all, balancer_options const& o,
                                           std::mt19937_64& dice);

}  // namespace weir::eventhubs
