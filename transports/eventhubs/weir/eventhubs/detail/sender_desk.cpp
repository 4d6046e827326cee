#include <weir/eventhubs/detail/sender_desk.hpp>

#include <chrono>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

constexpr std::chrono::minutes longest_idle{1};

}  // namespace

std::shared_ptr<hub_sender> sender_desk::find(std::string const& partition) const {
  auto const found = senders_.find(partition);
  return found == senders_.end() || found->second->over() ? nullptr : found->second;
}

void sender_desk::add(std::string const& partition, std::shared_ptr<hub_sender> sender) {
  senders_.insert_or_assign(partition, std::move(sender));
  if (!pending()) time_.start(*this, longest_idle);
}

void sender_desk::fire() noexcept {
  std::erase_if(senders_, [&](auto const& entry) {
    auto const since = entry.second->idle_since();
    return since && time_.steady() - *since >= longest_idle;
  });
  if (!senders_.empty()) time_.start(*this, longest_idle);
}

}  // namespace weir::eventhubs::detail
