#include <weir/kinesis/detail/source_state.hpp>

#include <weir/kinesis/sequence_number.hpp>

#include <utility>

namespace weir::kinesis::detail {
namespace {

constexpr std::uint64_t behind_all = (std::uint64_t{1} << 61) - 1;  // that came in one record

}  // namespace

source_state::source_state(options o)
    : how(std::move(o)),
      service(how.service ? how.service : make_shard_service(how.client)),
      graph(how.start),
      slots(how.most_requests),
      limits_(how.limits ? how.limits : read_limits::of_this_process()),
      random_(how.seed != 0 ? how.seed : std::random_device()()) {}

std::uint64_t source_state::random_bits() { return std::uint64_t{random_()} << 31 | random_(); }

void source_state::wake() {
  changed = true;
  changes.wake();
}

std::shared_ptr<shard_allowance> source_state::allowance(std::string const& shard_id) const {
  aws::endpoint_options const& where = how.client.where;
  return limits_->of(where.region + ' ' + where.url + ' ' + how.stream, shard_id);
}

std::optional<position> source_state::given(std::string const& shard_id) const {
  auto const found = how.positions.find(shard_id);
  if (found == how.positions.end()) return std::nullopt;
  return position_of(found->second, behind_all);
}

starting_position source_state::start_of(std::string const& shard_id) const {
  starting_position out = graph.start_of(shard_id);
  auto const found = first_at_tip_.find(shard_id);
  if (found == first_at_tip_.end() || out.which() != starting_position::type::latest) return out;
  return starting_position::at(sequence_number_of(found->second));
}

void source_state::came_at_tip(std::string const& shard_id, position first) { first_at_tip_.try_emplace(shard_id, first); }

}  // namespace weir::kinesis::detail
