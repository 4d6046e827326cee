#include <weir/eventhubs/detail/request_channel.hpp>

#include <weir/amqp/terminus.hpp>
#include <weir/amqp/terminus_writer.hpp>

#include <algorithm>
#include <charconv>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

constexpr std::uint32_t answers_at_once = 100;

// Nodes write the status in one of two ways: with dashes (management), and without (an older draft).
amqp::value_view property(amqp::value_view map, std::string_view name, std::string_view other_name) {
  auto v = amqp::find(map, name);
  if (v && v->is_null()) v = amqp::find(map, other_name);
  return v ? *v : amqp::value_view{};
}

std::optional<std::uint64_t> number_of(amqp::encoded_view id) {
  auto const v = amqp::value_reader(id.bytes).next();
  if (!v) return std::nullopt;
  if (auto const number = v->unsigned_integer()) return number;
  auto const text = v->text();
  if (!text) return std::nullopt;
  std::uint64_t out = 0;
  auto const [end, wrong] = std::from_chars(text->data(), text->data() + text->size(), out);
  if (wrong != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return out;
}

}  // namespace

void request_channel::open(amqp::connection& on, amqp::session_id session) {
  std::string const node = amqp::encoded_source(node_), own = amqp::encoded_target(name_), nowhere = amqp::encoded_source({}),
                    to_node = amqp::encoded_target(node_), sending = name_ + "-requests";
  amqp::link_options requests;
  requests.name = sending;
  requests.role = amqp::role::sender;
  requests.source = {nowhere};
  requests.target = {to_node};
  amqp::link_options answers;
  answers.name = name_;
  answers.role = amqp::role::receiver;
  answers.source = {node};
  answers.target = {own};
  to_ = on.attach(session, requests);
  from_ = on.attach(session, answers);
  if (from_) on.grant(*from_, answers_at_once);
}

bool request_channel::ready(amqp::connection const& on) const noexcept { return !lost_ && to_there_ && from_there_ && on.credit(*to_) > 0; }

void request_channel::begin(amqp::message_writer& message) {
  std::string id;
  amqp::encoder(id).string(std::to_string(next_));
  amqp::properties_view about;
  about.message_id = {id};
  about.to = node_;
  about.reply_to = name_;
  message.properties(about);
}

bool request_channel::take(amqp::connection& on, amqp::connection_event const& event) {
  reply_.reset();
  if (auto const* const attached = std::get_if<amqp::link_attached>(&event); attached != nullptr && is_own(attached->link)) {
    if (!attached->refused) (attached->link == to_ ? to_there_ : from_there_) = true;
    return true;
  }
  if (auto const* const gone = std::get_if<amqp::link_detached>(&event); gone != nullptr && is_own(gone->link)) return lost_ = true;
  if (auto const* const message = std::get_if<amqp::message_arrived>(&event); message != nullptr && message->link == from_) {
    answered(on, *message);
    return true;
  }
  if (auto const* const credit = std::get_if<amqp::credit_changed>(&event)) return credit->link == to_;
  if (auto const* const settled_now = std::get_if<amqp::delivery_settled>(&event); settled_now != nullptr && settled_now->link == to_) {
    settled(*settled_now);
    return true;
  }
  return false;
}

// One that the node refuses will not be answered.
void request_channel::settled(amqp::delivery_settled const& event) {
  auto const found = std::ranges::find(unsettled_, event.delivery_id, &sent_request::delivery);
  if (found == unsettled_.end()) return;
  auto const request = found->request;
  unsettled_.erase(found);
  if (event.state.outcome == amqp::outcome::accepted || event.state.outcome == amqp::outcome::none) return;
  auto& out = reply_.emplace();
  out.request = request;
  out.condition = event.state.why.condition.text;
  out.description = event.state.why.description;
}

void request_channel::answered(amqp::connection& on, amqp::message_arrived const& arrived) {
  if (!arrived.settled) on.settle(arrived.link, arrived.delivery_id, arrived.delivery_id, amqp::outcome::accepted);
  if (on.credit(*from_) <= answers_at_once / 2) on.grant(*from_, answers_at_once);
  auto const message = amqp::message_view::read(arrived.bytes);
  if (!message) return;
  auto const about = amqp::read_properties(message->properties);
  if (!about) return;
  auto const request = number_of(about->correlation_id);
  auto const status = property(message->application_properties, "status-code", "statusCode").integer();
  if (!request || !status) return;
  auto& out = reply_.emplace();
  out.request = *request;
  out.status = static_cast<int>(*status);
  out.description = property(message->application_properties, "status-description", "statusDescription").text().value_or("");
  out.condition = property(message->application_properties, "error-condition", "errorCondition").text().value_or("");
  out.body = message->body;
}

}  // namespace weir::eventhubs::detail
