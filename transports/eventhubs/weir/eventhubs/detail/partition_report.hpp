#pragma once
#include <weir/environment.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/eventhubs/record_unpacker.hpp>
#include <weir/metrics.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::eventhubs::detail {

// How far a partition is read, by what the service tells beside its events.
class partition_report {
public:
  partition_report(std::string_view event_hub, std::string_view partition);
  partition_report(partition_report const&) = delete;
  partition_report& operator=(partition_report const&) = delete;

  // A link that was to begin behind this event begins with that one: events between are lost.
  void begins(environment& env, std::int64_t behind, record const& first);
  // `last` is handed on now.
  void read(environment& env, record const& last, std::optional<partition_runtime> const& runtime);

private:
  std::string const event_hub_, partition_;
  std::array<metric_label, 2> const labels_;
};

}  // namespace weir::eventhubs::detail
