#include <weir/eventhubs/source.hpp>

#include <weir/eventhubs/detail/assign_partitions.hpp>
#include <weir/eventhubs/detail/share_partitions.hpp>
#include <weir/eventhubs/detail/sharing_loop.hpp>
#include <weir/eventhubs/detail/sharing_state.hpp>
#include <weir/eventhubs/detail/source_state.hpp>

#include <utility>

namespace weir::eventhubs {
namespace {

std::shared_ptr<detail::source_state> hub_source_state(options o) {
  o.check();
  return std::make_shared<detail::source_state>(std::move(o));
}

std::string hub_source_name(detail::source_state const& s) {
  std::string out = "eventhubs " + s.client->event_hub();
  return s.how.consumer_group == "$Default" ? out : out + '/' + s.how.consumer_group;
}

}  // namespace

source::source(options o) : state_(hub_source_state(std::move(o))), name_(hub_source_name(*state_)) {}

std::vector<std::string> source::partitions() const { return state_->partitions; }

stream<record> source::open(std::string partition, std::optional<weir::position> after) {
  if (state_->sharing) return detail::open_shared_partition(state_, std::move(partition), after);
  return detail::open_partition(state_, std::move(partition), after);
}

stream<assignment> source::assignments(assignment_view& /*pipeline*/) {
  if (state_->sharing) return detail::shared_partitions_of(state_);
  return detail::assign_partitions(state_);
}

task<> source::attend(assignment_view& pipeline) {
  if (state_->sharing) return detail::share_partitions(state_, pipeline);
  return weir::source<record>::attend(pipeline);
}

void source::drains() noexcept {
  if (state_->sharing && state_->sharing->loop) state_->sharing->loop->wake();
}

void source::ended(std::string const& partition, partition_end /*how*/) noexcept {
  if (state_->sharing && state_->sharing->loop) state_->sharing->loop->ended(partition);
}

}  // namespace weir::eventhubs
