#include "hub_ticks.hpp"

#include <weir/error.hpp>

#ifdef WEIR_HAS_EVENTHUBS
#include "payload_decoder.hpp"

#include <weir/eventhubs/connection_string.hpp>
#include <weir/eventhubs/options.hpp>
#include <weir/eventhubs/record.hpp>
#include <weir/eventhubs/selector.hpp>
#include <weir/eventhubs/source.hpp>
#include <weir/operators/map.hpp>
#include <weir/source_via.hpp>

#include <string>
#include <utility>

namespace ticks {
namespace {

using event = weir::eventhubs::record;

[[gnu::cold]] tick refuse_event(event const& r, std::string why, std::string const& hub, command_line::dead_letters* dead) {
  std::string const number = std::to_string(r.sequence_number());
  weir::error failure(weir::errc::malformed, "ticks: cannot use an event", std::move(why),
                      dead ? "" : "pass over such events with --on-broken-line dead-letter FILE");
  failure.with_stream(hub).with_partition(std::string(r.partition())).with_position(number);
  if (!dead) throw failure;
  dead->add(command_line::broken_record{failure.what(), hub, r.partition(), number, r.payload()});
  tick passed;
  passed.at = r.position();
  return passed;
}

weir::eventhubs::starting_position place_of(command_line::reading_start const& start) {
  using kind = command_line::reading_start::kind;
  if (start.what == kind::latest) return weir::eventhubs::from_latest{};
  if (start.what == kind::time) return weir::eventhubs::from_time{start.time};
  return weir::eventhubs::from_earliest{};
}

}  // namespace

std::string hub_name(options const& o) {
  std::string out = o.hub.name.empty() ? weir::eventhubs::connection_string::parse(o.hub.connection_string).event_hub : o.hub.name;
  if (o.hub.group != "$Default") out += '/' + o.hub.group;
  return out;
}

std::shared_ptr<weir::source<tick>> open_hub(options const& o, command_line::dead_letters* dead) {
  weir::eventhubs::options from;
  from.connection_string = o.hub.connection_string;
  from.event_hub = o.hub.name;
  from.consumer_group = o.hub.group;
  from.start = place_of(o.start);
  from.client.endpoint = o.hub.endpoint;
  auto const decode = [fields = o.fields, hub = hub_name(o), dead](weir::stream<event> events) {
    auto const by = std::make_shared<payload_decoder>(fields);
    return std::move(events) | weir::map([by, hub, dead](event const& r) {
             tick out;
             std::string why;
             return by->decode(r.payload(), r.position(), out, why) ? out : refuse_event(r, std::move(why), hub, dead);
           });
  };
  return weir::source_via<tick>(std::make_shared<weir::eventhubs::source>(std::move(from)), decode);
}

}  // namespace ticks
#else
namespace ticks {
namespace {

[[noreturn]] void refuse_hubs() {
  throw weir::error(weir::errc::invalid_option, "ticks: cannot read an event hub", "this program was built without eventhubs",
                    "build it with eventhubs in WEIR_COMPONENTS");
}

}  // namespace

std::string hub_name(options const&) { refuse_hubs(); }
std::shared_ptr<weir::source<tick>> open_hub(options const&, command_line::dead_letters*) { refuse_hubs(); }

}  // namespace ticks
#endif
