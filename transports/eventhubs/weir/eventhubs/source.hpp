#pragma once
#include <weir/eventhubs/options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::eventhubs {
namespace detail {
class source_state;
}

/// An event hub as a source: all of its partitions are read by this process, or those that it owns (`options::sharing`), on one connection,
/// each as `client::receive` says. The position of an event is its sequence number, and a partition that has a checkpoint is read behind
/// it. Progress is in the pipeline's checkpoints; without `sharing` no Blob storage is needed, and other processes with the same consumer
/// group do not share the partitions.
///
/// - Emits when: events have come, in the chunks they came in.   Backpressures when: downstream does: the service is given no more credit.
/// - Completes when: never; a drain ends it.   Cancelled: at once.
/// - Fails when: the partitions cannot be had at the start, within `client_options::timeout`; with `sharing` also when the blobs cannot be
///   (no such container, access denied, in five tries what passes); one partition when its reader does: access is denied, another receiver
///   has taken it (with `sharing` it is then left to that one), the service refuses. Lost connections and links, busy services, and what
///   else passes hold it up for as long as they last, are logged, and nothing else.
///
/// When nothing comes it says so (`mark::idle`). Events that the service has let go of before they were read are lost; that is logged.
/// Memory: for each partition `most_events` events, about `most_bytes` bytes (what was asked for still comes when events are larger than
/// those before them), and those that records still refer to. Metrics: `lag_records` and `millis_behind_latest` by stream and partition, as
/// the service tells them beside its events; with `sharing` `lease_changes_total` by stream, partition and change (gained, lost).
/// Errors: `errc::invalid_option` when built; those of `client`. Thread-safety: strand only.
/// Source: "AMQP 1.0 in Azure Service Bus and Event Hubs protocol guide".
class source final : public weir::source<record> {
public:
  /// Throws `weir::error` (`errc::invalid_option`) when the options cannot be used.
  explicit source(options o);
  /// "eventhubs" and the event hub, and the consumer group where it is not the default.
  std::string_view name() const noexcept override { return name_; }
  /// Those that are known: none before the service was asked.
  std::vector<std::string> partitions() const override;
  stream<record> open(std::string partition, std::optional<weir::position> after) override;
  stream<assignment> assignments(assignment_view& pipeline) override;
  task<> attend(assignment_view& pipeline) override;
  void drains() noexcept override;
  void ended(std::string const& partition, partition_end how) noexcept override;

private:
  std::shared_ptr<detail::source_state> state_;
  std::string name_;
};

}  // namespace weir::eventhubs
