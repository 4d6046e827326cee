#include <weir/kinesis/source.hpp>

#include <weir/kinesis/detail/discover_shards.hpp>
#include <weir/kinesis/detail/read_shard.hpp>
#include <weir/kinesis/detail/source_state.hpp>
#include <weir/kinesis/shard_end.hpp>

#include <utility>

namespace weir::kinesis {
namespace {

std::shared_ptr<detail::source_state> state_by(options o) {
  o.check();
  return std::make_shared<detail::source_state>(std::move(o));
}

}  // namespace

source::source(options o) : state_(state_by(std::move(o))), name_("kinesis " + state_->how.stream) {}

std::vector<std::string> source::partitions() const { return state_->graph.ids(); }

stream<record> source::open(std::string partition, std::optional<weir::position> after) {
  return detail::read_shard(state_, std::move(partition), after);
}

stream<assignment> source::assignments(assignment_view& pipeline) { return detail::discover_shards(state_, pipeline); }

void source::ended(std::string const& partition, partition_end how) noexcept {
  if (how == partition_end::finished) state_->graph.finish(partition);
  else state_->graph.halt(partition);
  state_->wake();
}

std::optional<weir::position> source::end_of(std::string const& /*partition*/) const { return shard_end; }

}  // namespace weir::kinesis
