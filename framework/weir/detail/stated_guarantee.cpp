#include <weir/detail/stated_guarantee.hpp>

#include <weir/detail/pipeline_topic.hpp>

namespace weir::detail {
namespace {

std::string effect_of(pipeline_sink const& s) {
  std::string const kind(s.kind());
  if (dynamic_cast<pipeline_topic const*>(&s)) return "messages at least once, with identity (" + kind + ")";
  switch (s.promises()) {
    case guarantee::transactional: return "effects exactly once (transactional " + kind + ")";
    case guarantee::idempotent: return "effects once in the end (idempotent " + kind + ")";
    case guarantee::at_least_once: break;
  }
  return "at least once (" + kind + ")";
}

}  // namespace

std::string stated_guarantee(std::string_view pipeline, std::vector<std::shared_ptr<pipeline_sink>> const& sinks, bool forgetful) {
  std::string out(pipeline);
  if (sinks.empty()) out += ": at least once; its state exactly once";
  char const* before = " -> ";
  for (auto const& s : sinks) {
    out.append(before).append(s->name()).append(": ").append(effect_of(*s));
    before = "; -> ";
  }
  if (forgetful) out += "; as long as the process lives, since settings.checkpoints is not set";
  return out;
}

}  // namespace weir::detail
