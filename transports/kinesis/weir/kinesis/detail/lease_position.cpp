#include <weir/kinesis/detail/lease_position.hpp>

#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/shard_end.hpp>

namespace weir::kinesis::detail {

std::optional<position> position_in(lease_checkpoint const& c) {
  if (c.ended()) return shard_end;
  if (!c.begun()) return std::nullopt;
  return position_of(c.text(), c.sub());
}

lease_checkpoint checkpoint_at(position const& p) {
  if (p == shard_end) return lease_checkpoint::shard_end();
  if (p == position()) return lease_checkpoint::trim_horizon();  // before its first record, with state of its parents
  return lease_checkpoint::parse(sequence_number_of(p), sub_sequence_number_of(p)).value_or(lease_checkpoint());
}

}  // namespace weir::kinesis::detail
