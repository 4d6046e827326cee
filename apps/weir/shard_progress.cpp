#ifdef WEIR_HAS_KINESIS
#include "shard_progress.hpp"

#include "one_pipeline.hpp"

#include <weir/dynamodb/client.hpp>
#include <weir/kinesis/lease_table.hpp>
#include <weir/kinesis/sequence_number.hpp>
#include <weir/kinesis/shard_end.hpp>

#include <fmt/format.h>

#include <utility>

namespace kinesis_tool {
namespace {

using weir::kinesis::lease_checkpoint;
using weir::kinesis::starting_position;

progress_of_shard behind(std::string sequence_number, std::uint64_t sub) {
  progress_of_shard out;
  out.text = sub == 0 ? sequence_number : fmt::format("{}.{}", sequence_number, sub);
  out.begins = starting_position::after(std::move(sequence_number));
  return out;
}

progress_of_shard of_position(weir::position const& at) {
  if (at == weir::kinesis::shard_end) {
    progress_of_shard out;
    out.text = "SHARD_END";
    out.is_done = true;
    return out;
  }
  return behind(weir::kinesis::sequence_number_of(at), weir::kinesis::sub_sequence_number_of(at));
}

progress_of_shard of_lease(lease_checkpoint const& at) {
  if (at.what() == lease_checkpoint::kind::sequence_number) return behind(at.text(), at.sub());
  progress_of_shard out;
  out.text = at.text();
  out.is_done = at.ended();
  if (at.what() == lease_checkpoint::kind::latest) out.begins = starting_position::latest();
  return out;
}

shard_progress in_store(options const& o) {
  shard_progress out;
  for (auto const& l : state_tool::checkpoints_of(*o.checkpoints, "kinesis " + o.where.stream, o.pipeline, o.where.stream))
    out.set(l.key.partition, of_position(l.head.position));
  return out;
}

shard_progress in_table(options const& o, command_line::event_loop& loop) {
  weir::dynamodb::client_options how;
  how.where.region = o.where.region;
  weir::kinesis::lease_table const table(weir::dynamodb::client(std::move(how)), o.lease_table);
  weir::kinesis::lease_scan const found = loop.run(table.scan());
  shard_progress out;
  for (auto const& l : found.leases) out.set(l.key, of_lease(l.checkpoint));
  return out;
}

}  // namespace

progress_of_shard shard_progress::of(std::string const& id) const {
  auto const found = known_.find(id);
  return found == known_.end() ? progress_of_shard() : found->second;
}

shard_progress find_progress(options const& o, command_line::event_loop& loop) {
  if (o.checkpoints) return in_store(o);
  if (!o.lease_table.empty()) return in_table(o, loop);
  return {};
}

}  // namespace kinesis_tool
#endif
