#include <weir/amqp/detail/connection_state.hpp>
#include <weir/amqp/encoder.hpp>

#include <algorithm>
#include <utility>

namespace weir::amqp::detail {
namespace {

// Large, since there are peers that take it for how much they may send; below half of the numbers, so that it stays ahead of them.
constexpr std::uint32_t outgoing_window = 0x7fffffff;

// An error as it stands in a detach, an end or a close. Empty for no condition.
std::string encoded_error(std::string_view condition, std::string_view description) {
  std::string out;
  if (condition.empty()) return out;
  encoder to(out);
  write_error(to, condition, description);
  return out;
}

}  // namespace

void connection_state::open() {
  if (std::exchange(opened_here_, true) || closed_here_) return;
  amqp::open body;
  body.container_id = options_.container_id;
  body.hostname = options_.hostname;
  body.max_frame_size = options_.max_frame_size;
  body.channel_max = options_.channel_max;
  if (options_.idle_time_out.count() != 0) body.idle_time_out = static_cast<std::uint32_t>(options_.idle_time_out.count() / 2);
  body.properties = {options_.properties};
  write_frame(output_, 0, body);
  said();
}

std::optional<session_id> connection_state::begin() {
  if (closed_here_) return std::nullopt;
  auto const channel = free_channel();
  if (!channel) return std::nullopt;
  sessions_[*channel].emplace();
  write_begin(*channel);
  return session_id{*channel};
}

void connection_state::write_begin(std::uint16_t channel) {
  auto& s = *sessions_[channel];
  s.incoming_window = options_.incoming_window;
  amqp::begin body;
  if (s.by_peer) body.remote_channel = s.peer_channel;
  body.next_outgoing_id = s.next_outgoing_id;
  body.incoming_window = s.incoming_window;
  body.outgoing_window = outgoing_window;
  write_frame(output_, channel, body);
  said();
}

void connection_state::end(session_id id) {
  auto* const s = session(id);
  if (s == nullptr || s->leaving || closed_here_) return;
  s->leaving = true;
  write_frame(output_, id.channel, amqp::end{});
  said();
}

std::optional<link_id> connection_state::attach(session_id id, link_options const& options) {
  auto* const s = session(id);
  if (s == nullptr || s->leaving || closed_here_) return std::nullopt;
  link_id const out{id, s->free_handle()};
  if (out.handle > s->peer_handle_max) return std::nullopt;
  auto& l = s->links[out.handle].emplace();
  l.name = options.name;
  l.own = options.role;
  write_attach(out, l, options);
  return out;
}

void connection_state::write_attach(link_id id, link_state& l, link_options const& options) {
  l.here = true;
  amqp::attach body;
  body.name = l.name;
  body.handle = id.handle;
  body.role = l.own;
  body.snd_settle_mode = options.snd_settle_mode;
  body.rcv_settle_mode = options.rcv_settle_mode;
  body.source = options.source;
  body.target = options.target;
  if (l.own == role::sender) body.initial_delivery_count = l.delivery_count;
  body.max_message_size = options.max_message_size;
  body.offered_capabilities = options.offered_capabilities;
  body.desired_capabilities = options.desired_capabilities;
  body.properties = options.properties;
  write_frame(output_, id.session.channel, body);
  said();
}

void connection_state::accept(link_id id, link_options const& options) {
  auto* const l = usable(id);
  if (l == nullptr || l->here) return;
  write_attach(id, *l, options);
}

void connection_state::refuse(link_id id, std::string_view condition, std::string_view description) {
  accept(id, {});
  detach(id, true, condition, description);
}

void connection_state::detach(link_id id, bool closed, std::string_view condition, std::string_view description) {
  auto* const l = usable(id);
  if (l == nullptr) return;
  l->leaving = true;
  std::erase_if(session(id.session)->waiting, [&](outgoing_delivery const& w) { return w.handle == id.handle; });
  if (!l->here) return;  // the peer has gone before it was answered
  std::string const error = encoded_error(condition, description);
  amqp::detach body;
  body.handle = id.handle;
  body.closed = closed;
  body.error = {error};
  write_frame(output_, id.session.channel, body);
  said();
}

void connection_state::close(std::string_view condition, std::string_view description) {
  if (std::exchange(closed_here_, true)) return;
  std::string const error = encoded_error(condition, description);
  amqp::close body;
  body.error = {error};
  write_frame(output_, 0, body);
  said();
}

// With the window open as far as it may be.
flow connection_state::flow_of(session_state& s) const noexcept {
  s.incoming_window = options_.incoming_window;
  flow body;
  if (s.peer_channel) body.next_incoming_id = s.next_incoming_id;
  body.incoming_window = s.incoming_window;
  body.next_outgoing_id = s.next_outgoing_id;
  body.outgoing_window = outgoing_window;
  return body;
}

void connection_state::write_flow(std::uint16_t channel) {
  write_frame(output_, channel, flow_of(*sessions_[channel]));
  said();
}

void connection_state::write_flow(link_id id, link_state const& l, bool drain) {
  flow body = flow_of(*sessions_[id.session.channel]);
  body.handle = id.handle;
  // A receiver that has not heard of the sender cannot know its count (2.6.7).
  if (l.own == role::sender || l.there) body.delivery_count = l.delivery_count;
  body.link_credit = l.credit;
  body.drain = drain;
  write_frame(output_, id.session.channel, body);
  said();
}

void connection_state::grant(link_id id, std::uint32_t credit, bool drain) {
  auto* const l = usable(id);
  if (l == nullptr || l->own != role::receiver) return;
  std::uint64_t const promised = std::uint64_t{l->credit} + l->withdrawn;  // messages for all of it may be under way
  l->withdrawn = promised > credit ? static_cast<std::uint32_t>(std::min<std::uint64_t>(promised - credit, 0xffffffff)) : 0;
  l->credit = credit;
  l->drain = drain;
  write_flow(id, *l, drain);
}

void connection_state::settle(link_id id, std::uint32_t first, std::uint32_t last, encoded_view state) {
  if (usable(id) == nullptr) return;
  disposition body;
  body.role = role::receiver;
  body.first = first;
  if (last != first) body.last = last;
  body.settled = true;
  body.state = state;
  write_frame(output_, id.session.channel, body);
  said();
}

std::optional<std::uint32_t> connection_state::send(link_id id, std::string_view tag, std::string_view bytes, std::uint32_t format,
                                                    bool settled) {
  auto* const l = usable(id);
  if (l == nullptr || l->own != role::sender || !l->here || !l->there || l->credit == 0) return std::nullopt;
  auto& s = *session(id.session);
  --l->credit;
  ++l->delivery_count;
  outgoing_delivery what{id.handle, s.next_number++, format, settled, false, std::string(tag), {}};
  std::uint32_t const out = what.number;
  if (!s.waiting.empty() || !write_transfers(id.session.channel, what, bytes)) {
    what.bytes.assign(bytes);
    s.waiting.push_back(std::move(what));
  }
  return out;
}

// Frames of a message while the window has room; takes what is written off the bytes. Whether all of it is.
bool connection_state::write_transfers(std::uint16_t channel, outgoing_delivery& what, std::string_view& bytes) {
  auto& s = *sessions_[channel];
  do {
    if (s.peer_window == 0) return false;
    transfer body;
    body.handle = what.handle;
    if (!what.begun) {
      body.delivery_id = s.next_delivery_id++;
      if (!what.settled) s.unsettled.push_back({*body.delivery_id, what.number, what.handle});
      body.delivery_tag = binary_view{what.tag};
      body.message_format = what.format;
    }
    if (what.settled) body.settled = true;
    std::size_t room = bytes.size();
    if (bytes.size() + 64 + what.tag.size() > peer_max_frame_) {  // may not fit: what the fields take is measured
      body.more = true;
      room = peer_max_frame_ - transfer_overhead(body);
      body.more = room < bytes.size();
    }
    std::string_view const part = bytes.substr(0, room);
    write_frame(output_, channel, body, part);
    bytes.remove_prefix(part.size());
    what.begun = true;
    --s.peer_window;
    ++s.next_outgoing_id;
  } while (!bytes.empty());
  said();
  return true;
}

void connection_state::write_waiting(std::uint16_t channel) {
  auto& s = *sessions_[channel];
  while (!s.waiting.empty()) {
    auto& what = s.waiting.front();
    std::string_view left = what.bytes;
    bool const all = write_transfers(channel, what, left);
    if (!all) {
      what.bytes.erase(0, what.bytes.size() - left.size());
      return;
    }
    s.waiting.pop_front();
  }
}

void connection_state::drained(link_id id) {
  auto* const l = usable(id);
  if (l == nullptr || l->own != role::sender) return;
  l->delivery_count += l->credit;
  l->credit = 0;
  write_flow(id, *l, l->drain);
}

}  // namespace weir::amqp::detail
