#include <weir/eventhubs/event_sender.hpp>

#include <weir/net/hashes.hpp>

#include <string>
#include <utility>

namespace weir::eventhubs {
namespace {

outgoing_event plain_event(message const& m) {
  std::string key = m.pipeline + '/' + m.stream + '/' + m.partition + '/' + m.topic;
  if (key.size() > 128) key = net::to_hex(net::sha256(key));
  outgoing_event out(m.payload, std::move(key));
  out.message_id = out.partition_key + '#' + std::to_string(m.number);
  out.properties.emplace_back("topic", m.topic);
  return out;
}

}  // namespace

event_sender::event_sender(client by) : event_sender(std::move(by), plain_event) {}

event_sender::event_sender(client by, std::function<outgoing_event(message const&)> event_of)
    : by_(std::move(by)), event_of_(std::move(event_of)) {}

task<> event_sender::send(std::vector<message> batch) {
  std::vector<outgoing_event> events;
  events.reserve(batch.size());
  for (message const& m : batch) events.push_back(event_of_(m));
  task<> sending = by_.send(std::move(events));
  co_await std::move(sending);
}

}  // namespace weir::eventhubs
