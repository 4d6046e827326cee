#include <weir/eventhubs/client.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/detail/client_state.hpp>
#include <weir/eventhubs/detail/read_partition.hpp>
#include <weir/eventhubs/detail/send_events.hpp>
#include <weir/timeout.hpp>

#include <utility>

namespace weir::eventhubs {
namespace {

task<hub_properties> ask_for_hub(std::shared_ptr<detail::hub_management> of) {
  task<hub_properties> asking = of->hub();
  co_return co_await std::move(asking);
}

task<partition_properties> ask_for_partition(std::shared_ptr<detail::hub_management> of, std::string id) {
  task<partition_properties> asking = of->partition(std::move(id));
  co_return co_await std::move(asking);
}

// In the time that the options allow. What kept it from being answered is more telling than that it took too long.
template <class T>
task<T> within_timeout(std::shared_ptr<detail::client_state> s, std::shared_ptr<detail::hub_connection> by, task<T> work) {
  task<T> limited = with_timeout(s->timeout(), std::move(work));
  try {
    co_return co_await std::move(limited);
  } catch (error const& e) {
    if (e.code() != errc::timed_out || !by->failure()) throw;
    throw error(errc::timed_out, "event hubs: no answer within " + std::to_string(s->timeout().count()) + " ms", by->failure()->what())
        .with_stream(s->event_hub());
  }
}

task<hub_properties> hub_by(std::shared_ptr<detail::client_state> s) {
  context const& own = co_await current_context();
  std::shared_ptr<detail::hub_management> const management = s->management(own);
  task<hub_properties> asking = within_timeout(s, s->connection(own), ask_for_hub(management));
  co_return co_await std::move(asking);
}

task<partition_properties> partition_by(std::shared_ptr<detail::client_state> s, std::string id) {
  context const& own = co_await current_context();
  std::shared_ptr<detail::hub_management> const management = s->management(own);
  task<partition_properties> asking = within_timeout(s, s->connection(own), ask_for_partition(management, std::move(id)));
  co_return co_await std::move(asking);
}

task<> send_all(std::shared_ptr<detail::client_state> s, std::vector<outgoing_event> events) {
  task<> sending = detail::send_events(s, std::make_shared<detail::outgoing_events>(events, s->most_batch_bytes()));
  co_await std::move(sending);
}

}  // namespace

client::client(client_options options) : state_(std::make_shared<detail::client_state>(std::move(options))) {}

task<hub_properties> client::properties() const { return hub_by(state_); }
task<partition_properties> client::properties_of(std::string partition) const { return partition_by(state_, std::move(partition)); }

stream<record> client::receive(std::string partition, receiver_options options) const {
  detail::check(options);
  return detail::read_partition(state_, std::move(partition), std::move(options));
}

task<> client::send(std::vector<outgoing_event> events) const { return send_all(state_, std::move(events)); }
std::shared_ptr<outside_write> client::write(std::vector<outgoing_event> events) const {
  return detail::events_write(state_, detail::outgoing_events(events, state_->most_batch_bytes()));
}

}  // namespace weir::eventhubs
