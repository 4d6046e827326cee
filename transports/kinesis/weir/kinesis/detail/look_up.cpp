#include <weir/kinesis/detail/look_up.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/detail/list_shards.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace weir::kinesis::detail {

task<listed_as> look_up(std::shared_ptr<source_state> s, std::string id) {
  std::vector<shard> listed;
  try {
    task<std::vector<shard>> asking = listed_shards(s);
    listed = co_await std::move(asking);
  } catch (error& e) {
    e.with_stream(s->how.stream).with_partition(id);
    throw;
  }
  auto const found = std::ranges::find(listed, id, &shard::id);
  if (found == listed.end()) co_return listed_as::gone;
  if (found->closed) co_return listed_as::closed;
  co_return listed_as::open;
}

task<hash_key_range> keys_of(std::shared_ptr<source_state> s, std::string id) {
  if (!s->graph.find(id)) co_await list_shards(s, 1);
  shard const* const found = s->graph.find(id);
  if (!found) {
    throw error(weir::errc::not_found, "kinesis: cannot read a shard", "the stream has no such shard, or not any more")
        .with_stream(s->how.stream)
        .with_partition(std::move(id));
  }
  co_return found->keys;
}

}  // namespace weir::kinesis::detail
