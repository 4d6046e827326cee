#ifdef WEIR_HAS_EVENTHUBS
#include "hub_progress.hpp"

#include "hub_access.hpp"
#include "one_pipeline.hpp"

#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/position.hpp>

#include <vector>

namespace hub_tool {
namespace {

using weir::eventhubs::stored_checkpoint;

progress_of_partition done_up_to(std::int64_t number) {
  progress_of_partition out;
  out.number = number;
  out.text = std::to_string(number);
  return out;
}

hub_progress in_store(options const& o) {
  std::string const stream = "eventhubs " + o.hub + (o.group == "$Default" ? "" : "/" + o.group);
  hub_progress out;
  for (auto const& l : state_tool::checkpoints_of(*o.checkpoints, stream, o.pipeline, o.hub))
    if (l.head.position != weir::position()) out.set(l.key.partition, done_up_to(static_cast<std::int64_t>(l.head.position.offset())));
  return out;
}

hub_progress in_blobs(options const& o, command_line::event_loop& loop) {
  std::vector<stored_checkpoint> const all = loop.run(weir::eventhubs::checkpoint_blobs(container_of(o), blobs_of(o)).list());
  hub_progress out;
  for (stored_checkpoint const& c : all) {
    if (c.sequence_number) {
      out.set(c.partition, done_up_to(*c.sequence_number));
      continue;
    }
    progress_of_partition at;
    at.offset = c.offset;
    at.text = "offset " + c.offset;
    out.set(c.partition, at);
  }
  return out;
}

}  // namespace

progress_of_partition hub_progress::of(std::string const& id) const {
  auto const found = known_.find(id);
  return found == known_.end() ? progress_of_partition() : found->second;
}

hub_progress find_progress(options const& o, command_line::event_loop& loop) {
  if (o.checkpoints) return in_store(o);
  if (!o.container.empty()) return in_blobs(o, loop);
  return {};
}

}  // namespace hub_tool
#endif
