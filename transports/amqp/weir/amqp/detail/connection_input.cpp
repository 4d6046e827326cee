#include <weir/amqp/detail/connection_state.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace weir::amqp::detail {
namespace {

constexpr std::chrono::milliseconds least_idle{20};  // a peer that waits for less would be sent nothing but empty frames

// Serial numbers: how far `to` is ahead of `from`; less than nothing when it is behind. RFC 1982.
std::int32_t ahead(std::uint32_t to, std::uint32_t from) noexcept { return static_cast<std::int32_t>(to - from); }

result<error_view> why_of(encoded_view field) noexcept {
  if (!field) return error_view{};
  return read_error(field);
}

}  // namespace

connection_state::step connection_state::take(frame const& f) {
  if (f.type != protocol::amqp) return errc::unknown_body;
  if (f.body.empty()) return std::nullopt;
  value_reader body(f.body);
  auto const what = read_performative(body);
  if (!what) return what.error();
  if (!opened_there_ && !std::holds_alternative<amqp::open>(*what)) return errc::out_of_order;
  if (closed_here_ && !std::holds_alternative<amqp::close>(*what)) return std::nullopt;  // nothing may be answered any more
  return std::visit([&](auto const& p) { return on(f.channel, p, body.left()); }, *what);
}

connection_state::step connection_state::on(std::uint16_t, amqp::open const& body, std::string_view) {
  if (std::exchange(opened_there_, true)) return errc::out_of_order;
  peer_max_frame_ = std::max<std::uint32_t>(body.max_frame_size, 512);
  peer_channel_max_ = body.channel_max;
  if (body.idle_time_out && *body.idle_time_out != 0) peer_idle_ = std::max(std::chrono::milliseconds(*body.idle_time_out), least_idle);
  opened event;
  event.peer = body;
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, amqp::begin const& body, std::string_view) {
  if (channel_of_peer(channel)) return errc::out_of_order;
  session_begun event;
  std::optional<std::uint16_t> own = body.remote_channel;
  if (own) {
    auto const* const known = session({*own});
    if (known == nullptr || known->peer_channel) return errc::out_of_order;
  } else {
    own = free_channel();
    if (!own) return errc::too_many;
    sessions_[*own].emplace().by_peer = true;
    event.by_peer = true;
  }
  auto& s = *sessions_[*own];
  s.peer_channel = channel;
  s.next_incoming_id = body.next_outgoing_id;
  s.peer_window = body.incoming_window;
  s.peer_handle_max = body.handle_max;
  if (event.by_peer) write_begin(*own);
  event.session = {*own};
  if (s.leaving) return std::nullopt;
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, amqp::attach const& body, std::string_view) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  auto& s = *sessions_[*own];
  if (s.leaving) return std::nullopt;
  if (s.handle_of_peer(body.handle)) return errc::out_of_order;
  link_attached event;
  event.peer = body;
  auto const mine = std::find_if(s.links.begin(), s.links.end(),
                                 [&](auto const& l) { return l && l->here && !l->there && l->own != body.role && l->name == body.name; });
  if (mine != s.links.end()) {
    event.link = {{*own}, static_cast<std::uint32_t>(mine - s.links.begin())};
  } else {
    event.link = {{*own}, s.free_handle()};
    if (event.link.handle > s.peer_handle_max) return errc::too_many;
    event.by_peer = true;
    auto& made = s.links[event.link.handle].emplace();
    made.name = body.name;
    made.own = body.role == role::sender ? role::receiver : role::sender;
  }
  auto& l = *s.links[event.link.handle];
  l.there = true;
  l.peer_handle = body.handle;
  if (l.own == role::receiver) {
    l.delivery_count = body.initial_delivery_count.value_or(0);
    event.refused = !event.by_peer && !body.source;
  } else {
    l.max_message_size = body.max_message_size.value_or(0);
    event.refused = !event.by_peer && !body.target;
  }
  if (l.leaving) return std::nullopt;
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, flow const& body, std::string_view) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  auto& s = *sessions_[*own];
  if (s.leaving) return std::nullopt;
  std::uint32_t const from = body.next_incoming_id.value_or(0);  // it has not heard of this side's first yet
  auto const under_way = static_cast<std::uint32_t>(std::max(ahead(s.next_outgoing_id, from), 0));
  s.peer_window = body.incoming_window - std::min(body.incoming_window, under_way);  // up to all 32 bits
  write_waiting(*own);
  if (!body.handle) {
    if (body.echo) write_flow(*own);
    return std::nullopt;
  }
  auto const handle = s.handle_of_peer(*body.handle);
  if (!handle) return errc::out_of_order;
  link_id const id{{*own}, *handle};
  auto& l = *s.links[*handle];
  if (l.leaving) return std::nullopt;
  if (l.own == role::sender) {
    std::uint32_t const seen = body.delivery_count.value_or(0);
    auto const used = static_cast<std::uint32_t>(std::max(ahead(l.delivery_count, seen), 0)), given = body.link_credit.value_or(0);
    l.credit = given - std::min(given, used);
    l.drain = body.drain;
    if (body.echo && !body.drain) write_flow(id, l, false);
    credit_changed event;
    event.link = id;
    event.drain = body.drain;
    return event;
  }
  if (body.delivery_count) {
    auto const skipped = static_cast<std::uint32_t>(std::max(ahead(*body.delivery_count, l.delivery_count), 0));
    l.delivery_count += skipped;
    l.credit -= std::min(l.credit, skipped);
  }
  if (body.echo) write_flow(id, l, l.drain);
  if (!l.drain || l.credit != 0) return std::nullopt;
  l.drain = false;
  link_drained event;
  event.link = id;
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, transfer const& body, std::string_view payload) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  auto& s = *sessions_[*own];
  if (s.leaving) return std::nullopt;
  if (s.incoming_window == 0) return errc::over_window;
  ++s.next_incoming_id;
  if (--s.incoming_window <= options_.incoming_window / 2) write_flow(*own);
  auto const handle = s.handle_of_peer(body.handle);
  if (!handle) return errc::out_of_order;
  auto& l = *s.links[*handle];
  if (l.own != role::receiver) return errc::out_of_order;
  if (l.leaving) return std::nullopt;  // it was under way
  return message_of({{*own}, *handle}, l, body, payload);
}

// Of a message that comes in one frame a view into that; otherwise the frames are put together.
connection_state::step connection_state::message_of(link_id id, link_state& l, transfer const& body, std::string_view payload) {
  auto& m = l.incoming;
  bool const first = !m.begun;
  if (first) {
    if (!body.delivery_id) return errc::missing_field;
    if (l.credit == 0 && l.withdrawn == 0) {
      detach(id, true, "amqp:link:transfer-limit-exceeded", "more messages than there was credit for");
      return std::nullopt;
    }
    --(l.credit != 0 ? l.credit : l.withdrawn);
    ++l.delivery_count;
    m.delivery_id = *body.delivery_id;
    m.format = body.message_format.value_or(0);
    m.tag.assign(body.delivery_tag.value_or(binary_view{}).bytes);
    m.settled = false;
    m.bytes.clear();
  }
  m.settled = m.settled || body.settled.value_or(false);
  m.begun = body.more && !body.aborted;
  if (body.aborted) return std::nullopt;
  if (payload.size() > options_.max_message_size - std::min(m.bytes.size(), options_.max_message_size)) {
    detach(id, true, "amqp:link:message-size-exceeded", "a message of more than " + std::to_string(options_.max_message_size) + " bytes");
    return std::nullopt;
  }
  bool const whole = first && !body.more;
  if (!whole) m.bytes.append(payload);
  if (body.more) return std::nullopt;
  message_arrived event;
  event.link = id;
  event.delivery_id = m.delivery_id;
  event.tag = m.tag;
  event.format = m.format;
  event.settled = m.settled;
  event.bytes = whole ? payload : std::string_view(m.bytes);
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, disposition const& body, std::string_view) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  if (body.role == role::sender || sessions_[*own]->leaving) return std::nullopt;
  auto const state = read_delivery_state(body.state);
  if (!state) return state.error();
  if (!body.settled && state->outcome == outcome::none) return std::nullopt;
  settling_.emplace(*own, body.first, body.last.value_or(body.first), body.settled, std::string(body.state.bytes));
  return next_settled();
}

// The next of those in the range that this side has sent and not heard of.
std::optional<connection_event> connection_state::next_settled() {
  auto* const s = session({settling_->channel});
  if (s != nullptr) {
    auto& sent = s->unsettled;
    auto const from = std::partition_point(sent.begin(), sent.end(), [&](auto const& d) { return ahead(settling_->at, d.id) > 0; });
    for (auto i = static_cast<std::size_t>(from - sent.begin()); i < sent.size(); ++i) {
      if (ahead(sent[i].id, settling_->last) > 0) break;
      if (!sent[i].open) continue;
      sent[i].open = false;
      delivery_settled event;
      event.link = {{settling_->channel}, sent[i].handle};
      event.delivery_id = sent[i].number;
      if (auto const state = read_delivery_state({settling_->state})) event.state = *state;
      settling_->at = sent[i].id + 1;
      if (!settling_->settled) {  // it waits for this side to have heard
        disposition answer;
        answer.first = sent[i].id;
        answer.settled = true;
        answer.state = {settling_->state};
        write_frame(output_, settling_->channel, answer);
        said();
      }
      while (!sent.empty() && !sent.front().open) sent.pop_front();
      return event;
    }
  }
  settling_.reset();
  return std::nullopt;
}

connection_state::step connection_state::on(std::uint16_t channel, amqp::detach const& body, std::string_view) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  auto& s = *sessions_[*own];
  if (s.leaving) return std::nullopt;
  auto const handle = s.handle_of_peer(body.handle);
  if (!handle) return errc::out_of_order;
  auto const why = why_of(body.error);
  if (!why) return why.error();
  link_detached event;
  event.link = {{*own}, *handle};
  event.closed = body.closed;
  event.why = *why;
  if (!s.links[*handle]->leaving) detach(event.link, body.closed, {}, {});
  forget(event.link);
  return event;
}

connection_state::step connection_state::on(std::uint16_t channel, amqp::end const& body, std::string_view) {
  auto const own = channel_of_peer(channel);
  if (!own) return errc::out_of_order;
  auto const why = why_of(body.error);
  if (!why) return why.error();
  session_ended event;
  event.session = {*own};
  event.why = *why;
  if (!sessions_[*own]->leaving) end(event.session);
  sessions_[*own].reset();
  return event;
}

connection_state::step connection_state::on(std::uint16_t, amqp::close const& body, std::string_view) {
  auto const why = why_of(body.error);
  if (!why) return why.error();
  connection_closed event;
  event.why = *why;
  close({}, {});
  phase_ = phase::closed;
  return event;
}

}  // namespace weir::amqp::detail
