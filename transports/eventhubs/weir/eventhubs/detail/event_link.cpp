#include <weir/eventhubs/detail/event_link.hpp>

#include <weir/amqp/encoder.hpp>
#include <weir/amqp/terminus_writer.hpp>
#include <weir/eventhubs/detail/encoded_event.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

std::string encoded_wish() {
  std::string out;
  amqp::encoder to(out);
  auto const array = to.begin_symbols();
  to.array_symbol("com.microsoft:georeplication");
  to.end(array);
  return out;
}

sending_failure failure_of(amqp::error_view const& why) {
  sending_failure out;
  out.condition = why.condition.text;
  out.description = why.description;
  out.does = reaction_to(why.condition.text);
  return out;
}

std::optional<sending_failure> failure_of(amqp::delivery_state const& state) {
  switch (state.outcome) {
    case amqp::outcome::accepted: return std::nullopt;
    case amqp::outcome::rejected: return failure_of(state.why);
    default: break;
  }
  sending_failure out;
  out.description = "the service has settled a batch that it has not taken";
  return out;
}

}  // namespace

void event_link::open(amqp::connection& on, amqp::session_id session) {
  std::string const from = amqp::encoded_source(name_), to = amqp::encoded_target(address_), wish = encoded_wish();
  amqp::link_options link;
  link.name = name_;
  link.role = amqp::role::sender;
  link.source = {from};
  link.target = {to};
  link.desired_capabilities = {wish};
  attached_ = false;
  loss_.reset();
  outcome_.reset();
  session_ = session;
  link_ = on.attach(session, link);
  if (!link_) lose({});  // the session is gone
}

void event_link::lose(amqp::error_view const& why) {
  loss_ = failure_of(why);
  attached_ = false;
  link_.reset();
}

void event_link::take(amqp::connection_event const& event) {
  outcome_.reset();
  if (!link_) return;
  if (auto const* const attached = std::get_if<amqp::link_attached>(&event); attached != nullptr && attached->link == link_) {
    attached_ = !attached->refused;  // refused: the detach that follows says why
  } else if (auto const* const settled = std::get_if<amqp::delivery_settled>(&event); settled != nullptr && settled->link == link_) {
    outcome_.emplace();
    outcome_->delivery = settled->delivery_id;
    outcome_->failure = failure_of(settled->state);
  } else if (auto const* const gone = std::get_if<amqp::link_detached>(&event); gone != nullptr && gone->link == link_) {
    lose(gone->why);
  } else if (auto const* const ended = std::get_if<amqp::session_ended>(&event); ended != nullptr && ended->session == session_) {
    lose(ended->why);
  }
}

void event_link::disconnected() {
  outcome_.reset();
  if (link_) lose({});
}

void event_link::refused(std::string why) {
  lose({});
  loss_->description = std::move(why);
}

std::size_t event_link::most_bytes(amqp::connection const& on) const noexcept {
  std::uint64_t const most = on.max_message_size(*link_);
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  return most == 0 ? any : static_cast<std::size_t>(std::min<std::uint64_t>(most, any));
}

std::optional<std::uint32_t> event_link::send(amqp::connection& on, std::string_view batch) {
  if (!attached_) return std::nullopt;
  std::string const tag = std::to_string(++tag_);
  return on.send(*link_, tag, batch, batch_format);
}

}  // namespace weir::eventhubs::detail
