#pragma once
#include <weir/assignment.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/kinesis/lease_checkpoint.hpp>
#include <weir/kinesis/lease_service.hpp>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace weir::kinesis::detail {

class lease_loop;

// What a source has that shares its shards by leases. Strand only.
class shard_sharing {
public:
  explicit shard_sharing(std::shared_ptr<lease_service> t) noexcept : table(std::move(t)) {}
  shard_sharing(shard_sharing const&) = delete;
  shard_sharing& operator=(shard_sharing const&) = delete;

  std::shared_ptr<lease_service> const table;
  std::deque<assignment> assignments;              // that the pipeline has not been told
  weir::detail::wait_list told;                    // there are more
  lease_loop* loop = nullptr;                      // while the pipeline runs
  std::map<std::string, lease_checkpoint> starts;  // where shards begin that have no checkpoint
};

}  // namespace weir::kinesis::detail
