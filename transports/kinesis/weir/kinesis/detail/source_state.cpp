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

}  // namespace weir::kinesis::detail
