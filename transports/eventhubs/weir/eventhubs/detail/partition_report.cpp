#include <weir/eventhubs/detail/partition_report.hpp>

#include <algorithm>

namespace weir::eventhubs::detail {

partition_report::partition_report(std::string_view event_hub, std::string_view partition)
    : event_hub_(event_hub), partition_(partition), labels_{metric_label("stream", event_hub_), metric_label("partition", partition_)} {}

void partition_report::begins(environment& env, std::int64_t behind, record const& first) {
  if (first.sequence_number() - 1 <= behind) return;
  env.log.error("event hubs: events are lost (stream " + event_hub_ + ", partition " + partition_ + "): those from " +
                std::to_string(behind + 1) + " to " + std::to_string(first.sequence_number() - 1) +
                " are not there any more; read faster, or let the event hub keep events longer (where it compacts them, this is as it is)");
}

void partition_report::read(environment& env, record const& last, std::optional<partition_runtime> const& runtime) {
  if (!env.metrics || !runtime) return;
  std::int64_t const left = std::max<std::int64_t>(runtime->last_sequence_number - last.sequence_number(), 0);
  std::int64_t const age = left == 0 ? 0 : std::max<std::int64_t>(env.clock().now() - last.arrival(), 0) / 1'000'000;
  env.metrics->set(metric::lag_records, static_cast<double>(left), labels_);
  env.metrics->set(metric::millis_behind_latest, static_cast<double>(age), labels_);
}

}  // namespace weir::eventhubs::detail
