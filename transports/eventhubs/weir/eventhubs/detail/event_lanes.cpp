#include <weir/eventhubs/detail/event_lanes.hpp>

#include <weir/amqp/message_writer.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/encoded_event.hpp>

#include <algorithm>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

error too_large(std::size_t size, std::size_t most, std::string const& whose) {
  return error(errc::too_large, "event hubs: an event cannot be sent",
               "it is a message of " + std::to_string(size) + " bytes, and " + whose + ' ' + std::to_string(most),
               "make it smaller: it may refer to what is kept elsewhere");
}

}  // namespace

event_lanes::lane& event_lanes::lane_of(std::string const& key) {
  auto const [found, made] = by_key_.try_emplace(key, lanes_.size());
  if (made) encode_batch_key(lanes_.emplace_back().head, key);
  return lanes_[found->second];
}

void event_lanes::wait_for_turn(std::size_t number) {
  lane const& l = lanes_[number];
  if (l.under_way == 0 && !l.sizes.empty()) turn_.push_back(number);
}

void event_lanes::add(outgoing_event const& event, std::size_t most_bytes) {
  check(event);
  lane& l = lane_of(event.partition_key);
  scratch_.clear();
  encode(scratch_, event);
  std::size_t const before = l.sections.size();
  amqp::message_writer(l.sections).data(scratch_);
  std::size_t const size = l.sections.size() - before;
  if (l.head.size() + size > most_bytes) {
    l.sections.resize(before);
    throw too_large(l.head.size() + size, most_bytes, "most_batch_bytes is");
  }
  l.sizes.push_back(static_cast<std::uint32_t>(size));
  ++left_;
  if (l.sizes.size() == 1) wait_for_turn(by_key_.find(event.partition_key)->second);
}

void event_lanes::append(event_lanes later) {
  for (auto const& [key, number] : later.by_key_) {
    lane& from = later.lanes_[number];
    lane& to = lane_of(key);
    bool const idle = to.sizes.empty();
    to.sections.append(from.sections, from.gone);
    to.sizes.insert(to.sizes.end(), from.sizes.begin(), from.sizes.end());
    if (idle) wait_for_turn(by_key_.find(key)->second);
  }
  left_ += later.left_;
}

std::optional<event_lanes::batch> event_lanes::next(std::size_t most_bytes) {
  fault_.reset();
  if (turn_.empty()) return std::nullopt;
  lane& l = lanes_[turn_.front()];
  std::size_t size = l.head.size(), events = 0;
  while (events != l.sizes.size() && size + l.sizes[events] <= most_bytes) size += l.sizes[events++];
  if (events == 0) {
    fault_ = too_large(l.head.size() + l.sizes.front(), most_bytes, "the service takes");
    return std::nullopt;
  }
  message_.assign(l.head).append(l.sections, l.gone, size - l.head.size());
  l.under_way = events;
  batch out{turn_.front(), message_};
  turn_.pop_front();
  return out;
}

void event_lanes::taken(std::size_t number) {
  lane& l = lanes_[number];
  for (; l.under_way != 0; --l.under_way, --left_) {
    l.gone += l.sizes.front();
    l.sizes.pop_front();
  }
  if (l.sizes.empty()) {
    l.sections.clear();
    l.gone = 0;
  }
  wait_for_turn(number);
}

void event_lanes::again(std::size_t number) {
  lanes_[number].under_way = 0;
  turn_.push_front(number);
}

}  // namespace weir::eventhubs::detail
