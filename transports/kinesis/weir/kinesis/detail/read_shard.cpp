#include <weir/kinesis/detail/read_shard.hpp>

#include <weir/kinesis/detail/poll_shard.hpp>
#include <weir/kinesis/detail/subscribe_shard.hpp>

#include <utility>

namespace weir::kinesis::detail {

stream<record> read_shard(std::shared_ptr<source_state> s, std::string id, std::optional<position> after) {
  std::optional<starting_position> from;
  if (after == position()) {  // before its first record, where its parents have ended
    after.reset();
    from = starting_position::trim_horizon();
  }
  if (s->how.consumer.empty()) return poll_shard(std::move(s), std::move(id), after, std::move(from));
  return subscribe_shard(std::move(s), std::move(id), after, std::move(from));
}

}  // namespace weir::kinesis::detail
