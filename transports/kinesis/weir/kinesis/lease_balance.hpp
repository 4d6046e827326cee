#pragma once
#include <weir/kinesis/lease.hpp>
#include <weir/kinesis/lease_options.hpp>

#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace weir::kinesis {

/// A lease of a shard that has not ended, as a worker sees it that looks for work.
struct lease_sight {
  lease_sight(lease const* l, std::string by) noexcept : of(l), holder(std::move(by)) {}

  lease const* of;
  std::string holder;  ///< who has it, or will; empty: nobody, or whoever had it has not renewed it for the time of failover
};

/// Which leases a worker should take. A value.
struct lease_choice {
  std::vector<lease const*> take;   ///< free ones
  std::vector<lease const*> steal;  ///< of the worker that has most; only when there are no free ones
};

/// Chooses: each worker is to have its share, the number of leases by that of workers, rounded up. Takes free ones at random, so that
/// workers that look at the same time do not all want the same. Steals while another has two more than this worker, so that in the end
/// nobody has. Leases that are being handed over count for who will have them, and are not stolen. Pure but for `dice`.
/// Source: LeaseTaker of KCL 2.
lease_choice choose_leases(std::string const& worker, std::vector<lease_sight> const& all, lease_options const& o, std::mt19937_64& dice);

}  // namespace weir::kinesis
