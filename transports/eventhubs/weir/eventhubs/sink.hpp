#pragma once
#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/outgoing_event.hpp>
#include <weir/guarantee.hpp>
#include <weir/outside_write.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::eventhubs {

/// A sink that sends rows to an event hub: the rows in front of each checkpoint, before that is committed.
/// ```cpp
/// eventhubs::client const bars({.connection_string = "Endpoint=sb://...;EntityPath=bars"});
/// pipeline.use_sink("bars", eventhubs::sink<bar>(bars, [](bar const& b) { return eventhubs::outgoing_event(to_json(b), b.symbol); }));
/// ```
/// The commit waits until the service has all of them; one that is tried again goes on with what was not taken yet. Rows that no event hub
/// takes are the record's fault (`failure_policy`): `errc::malformed`, `errc::too_large`.
///
/// Guarantee: at least once: after a crash between service and commit, rows come again. Order and errors: those of `client::send`.
/// A copy is the same sink. Thread-safety: as a value.
template <class Row> class sink {
public:
  using row_type = Row;
  static constexpr std::string_view kind = "eventhubs";
  static constexpr guarantee promises = guarantee::at_least_once;

  /// `event_of(row)`: the `outgoing_event` for it.
  template <class EventOf> sink(client by, EventOf event_of) : by_(std::move(by)), event_of_(std::move(event_of)) {}

  /// The rows of one commit.
  std::shared_ptr<outside_write> write(std::vector<Row> rows) const {
    std::vector<outgoing_event> events;
    events.reserve(rows.size());
    for (Row const& row : rows) events.push_back(event_of_(row));
    return by_.write(std::move(events));
  }

private:
  client by_;
  std::function<outgoing_event(Row const&)> event_of_;
};

}  // namespace weir::eventhubs
