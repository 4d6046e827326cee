#include <weir/kinesis/source.hpp>

#include <weir/kinesis/detail/discover_shards.hpp>
#include <weir/kinesis/detail/lease_loop.hpp>
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

stream<assignment> source::assignments(assignment_view& pipeline) {
  if (state_->sharing) return detail::shared_shards(state_);
  return detail::discover_shards(state_, pipeline);
}

task<> source::attend(assignment_view& pipeline) {
  if (state_->sharing) return detail::share_shards(state_, pipeline);
  return weir::source<record>::attend(pipeline);
}

void source::drains() noexcept {
  if (state_->sharing && state_->sharing->loop) state_->sharing->loop->wake();
}

void source::ended(std::string const& partition, partition_end how) noexcept {
  if (state_->sharing) {
    if (state_->sharing->loop) state_->sharing->loop->ended(partition, how);
    return;
  }
  if (how == partition_end::finished) state_->graph.finish(partition);
  else state_->graph.halt(partition);
  state_->wake();
}

std::optional<weir::position> source::end_of(std::string const& /*partition*/) const { return shard_end; }

std::vector<predecessor> source::predecessors(std::string const& partition) const {
  std::vector<predecessor> out;
  shard_graph const& known = state_->graph;
  shard const* const me = known.recall(partition);
  if (!me) return out;
  for (std::string const& id : {me->parent, me->adjacent_parent})
    if (!id.empty()) out.emplace_back(id, known.is_first_of(id, partition), !known.find(id));
  return out;
}

std::vector<std::string> source::heirs(std::string const& partition) const { return state_->graph.heirs_of(partition); }

bool source::owns(std::string const& partition, std::string_view partition_key) const {
  shard const* const me = state_->graph.recall(partition);
  return !me || me->keys == hash_key_range() || me->keys.has(hash_key::of(partition_key));
}

}  // namespace weir::kinesis
