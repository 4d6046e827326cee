#include <weir/eventhubs/detail/send_events.hpp>

#include <weir/context.hpp>
#include <weir/eventhubs/detail/hub_sender.hpp>
#include <weir/when_all.hpp>

#include <utility>
#include <vector>

namespace weir::eventhubs::detail {
namespace {

task<> send_by(std::shared_ptr<hub_sender> sender, event_lanes* events) {
  task<> sending = sender->send(*events);
  co_await std::move(sending);
}

class hub_write final : public outside_write {
public:
  hub_write(std::shared_ptr<client_state> to, outgoing_events what)
      : to_(std::move(to)), what_(std::make_shared<outgoing_events>(std::move(what))) {}

  task<> write(checkpoint_key, std::uint64_t) override { return send_events(to_, what_); }
  bool join(outside_write& later) override {
    auto* const other = dynamic_cast<hub_write*>(&later);
    if (!other || other->to_ != to_) return false;
    what_->append(std::move(*other->what_));
    return true;
  }

private:
  std::shared_ptr<client_state> to_;
  std::shared_ptr<outgoing_events> what_;
};

}  // namespace

task<> send_events(std::shared_ptr<client_state> s, std::shared_ptr<outgoing_events> what) {
  context const& own = co_await current_context();
  std::vector<task<>> all;
  for (auto& [partition, events] : what->by_partition())
    if (!events.empty()) all.push_back(send_by(s->sender(own, partition), &events));
  if (all.size() == 1) co_await std::move(all.front());
  else if (!all.empty()) {
    auto together = when_all(std::move(all));
    co_await std::move(together);
  }
}

std::shared_ptr<outside_write> events_write(std::shared_ptr<client_state> s, outgoing_events what) {
  return std::make_shared<hub_write>(std::move(s), std::move(what));
}

}  // namespace weir::eventhubs::detail
