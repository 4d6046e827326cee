#include "hub_commands.hpp"

#ifdef WEIR_HAS_EVENTHUBS
#include "hub_access.hpp"
#include "line_feed.hpp"
#include "line_keys.hpp"

#include <weir/eventhubs/client.hpp>
#include <weir/eventhubs/outgoing_event.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hub_tool {
namespace {

class events_of_lines final : public state_tool::line_target {
public:
  explicit events_of_lines(options const& o)
      : keys_(o.keys, o.key), partition_(o.partitions.empty() ? std::string() : o.partitions.front()), to_(client_of(o)) {}

  bool take(std::string_view line, std::string& why) override {
    auto key = keys_.key_of(line, why);
    if (!key) return false;
    weir::eventhubs::outgoing_event event{std::string(line), *std::move(key)};
    event.partition = partition_;
    events_.push_back(std::move(event));
    return true;
  }
  weir::task<> deliver() override { return to_.send(std::exchange(events_, {})); }

private:
  state_tool::line_keys keys_;
  std::string partition_;
  weir::eventhubs::client to_;
  std::vector<weir::eventhubs::outgoing_event> events_;
};

}  // namespace

int send(options const& o) {
  events_of_lines to(o);
  state_tool::feed_lines(o.file, to, {"send", "event", "events", "event hub", "sent to " + o.hub});
  return 0;
}

}  // namespace hub_tool
#endif
