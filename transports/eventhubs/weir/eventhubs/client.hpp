#pragma once
#include <weir/eventhubs/client_options.hpp>
#include <weir/eventhubs/outgoing_event.hpp>
#include <weir/eventhubs/properties.hpp>
#include <weir/eventhubs/receiver_options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/outside_write.hpp>
#include <weir/stream.hpp>
#include <weir/task.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weir::eventhubs {
namespace detail {
class client_state;
}

/// A client of an event hub, over AMQP 1.0 in a WebSocket or in TLS.
/// ```cpp
/// eventhubs::client const hub({.connection_string = "Endpoint=sb://...;EntityPath=ticks"});
/// eventhubs::hub_properties const about = co_await hub.properties();
/// auto events = hub.receive(about.partitions.front());
/// while (eventhubs::record* event = co_await events.next()) ...
/// ```
/// All that is under way in a run (a `spawn`) shares one connection, which is made when it is first needed and closed when nothing needs it
/// any more. When it is lost it is made again, after a pause that grows from 0.2 to 30 s; tokens are put anew, and what was under way goes
/// on where it was.
///
/// Thread-safety: a value; copies share what they have, and may be used on any strand.
/// Source: "AMQP 1.0 in Azure Service Bus and Event Hubs protocol guide"; AMQP WebSocket Binding 1.0.
class client {
public:
  /// Throws `weir::error` (`errc::invalid_option`) when the options cannot be used; it says which and why.
  explicit client(client_options options);

  /// What there is to know of the event hub. What passes is tried again until `client_options::timeout` is over.
  /// Errors: `errc::access_denied`, `not_found`, `rejected`; `timed_out`, with what went wrong last; on the way to the service those of
  /// `net::websocket_client` and `net::tcp_client`. Cancelled: at once.
  task<hub_properties> properties() const;
  /// The same of a partition.
  task<partition_properties> properties_of(std::string partition) const;

  /// The events of a partition, in their order, each once.
  /// - Emits when: some have come; all that are there, in one chunk. Else `mark::idle`, every `receiver_options::idle_every` for which the
  ///   link was there and could have brought some.
  /// - Backpressures when: it is not pulled: the service may send `most_events` at most that were not pulled (the link's credit).
  /// - Completes when: never.   Cancelled: at once; the link is ended.
  /// - Fails when: another receiver takes the partition (`errc::fenced`), access is denied with a fresh token too (`access_denied`), the
  ///   event hub, group or partition is not there (`not_found`), the service refuses (`rejected`, as for a sixth receiver), an event cannot
  ///   be read (`malformed`); and when there was no connection yet, for what will not pass (certificates, a name that nobody knows).
  /// All else holds it up for as long as it lasts: it goes on behind the last event by a new link, after a pause that grows, and of 4 s at
  /// least where the service is busy.
  /// State: `most_events` events. Metrics: `lag_records`, `millis_behind_latest`, `throttled_total`, by stream and partition.
  /// Errors: `errc::invalid_option` for options that cannot be used.
  stream<record> receive(std::string partition, receiver_options options = {}) const;

  /// Sends events, in as few batches as keys and sizes allow. Returns when the service has confirmed all of them. Events of one call that
  /// have one partition key, or name one partition, stay in order: of each there is one batch under way. What is not confirmed goes again
  /// (at least once): after a lost link or connection, and where the service is busy, after a pause of 4 s at least.
  /// - Backpressures when: the service does (busy, or the link's credit is used up), by waiting.
  /// - Fails when: no event was taken for `client_options::timeout` (`errc::timed_out`, with what went wrong last); the service refuses for
  ///   good (`access_denied` with a fresh token too, `not_found`, `rejected`); before any is sent, for an event that no event hub takes
  ///   (`malformed`), or that is larger than a batch may be (`too_large`). Some events may be there.
  /// Cancelled: at once; some may be there. Metrics: `throttled_total`.
  /// Its connection stays until the run is over, or it was not used for a minute; all partitions of a pipeline share it.
  task<> send(std::vector<outgoing_event> events) const;
  /// The same as a part of a commit; one that has failed goes on with what was not taken yet. Throws `errc::malformed`, `too_large`.
  std::shared_ptr<outside_write> write(std::vector<outgoing_event> events) const;

private:
  std::shared_ptr<detail::client_state> state_;
};

}  // namespace weir::eventhubs
