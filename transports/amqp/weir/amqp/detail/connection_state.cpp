#include <weir/amqp/detail/connection_state.hpp>

#include <algorithm>
#include <utility>

namespace weir::amqp::detail {

std::string_view condition_of(errc what) noexcept {
  switch (what) {
    case errc::truncated:
    case errc::unknown_encoding:
    case errc::wrong_size:
    case errc::too_deep:
    case errc::unknown_body: return "amqp:decode-error";
    case errc::wrong_type:
    case errc::missing_field: return "amqp:invalid-field";
    case errc::frame_too_large:
    case errc::wrong_protocol: return "amqp:connection:framing-error";
    case errc::out_of_order: return "amqp:illegal-state";
    case errc::over_window: return "amqp:session:window-violation";
    case errc::too_many:
    case errc::silent_peer: return "amqp:resource-limit-exceeded";
  }
  return "amqp:internal-error";
}

connection_state::connection_state(connection_options options, clock::time_point now)
    : options_(std::move(options)), output_(protocol_header(protocol::amqp)), now_(now), last_received_(now), last_sent_(now) {}

void connection_state::feed(std::string_view bytes, clock::time_point now) {
  now_ = now;
  if (bytes.empty()) return;
  last_received_ = now;
  if (phase_ == phase::closed) return;
  input_.erase(0, std::exchange(read_, 0));
  input_.append(bytes);
}

std::optional<connection_event> connection_state::next() {
  if (urgent_) return std::exchange(urgent_, std::nullopt);
  if (settling_)
    if (auto const event = next_settled()) return event;
  while (phase_ != phase::closed) {
    std::string_view left = std::string_view(input_).substr(read_);
    if (phase_ == phase::header) {
      std::string_view const wanted = protocol_header(protocol::amqp);
      std::size_t const size = std::min(left.size(), wanted.size());
      if (left.substr(0, size) != wanted.substr(0, size)) {
        fail(errc::wrong_protocol);
        return std::exchange(urgent_, std::nullopt);
      }
      if (left.size() < wanted.size()) return std::nullopt;
      read_ += wanted.size();
      phase_ = phase::open;
      continue;
    }
    auto const f = take_frame(left, options_.max_frame_size);
    if (f && !*f) return std::nullopt;
    read_ = input_.size() - left.size();
    auto event = f ? take(**f) : step(f.error());
    if (!event) {
      fail(event.error());
      return std::exchange(urgent_, std::nullopt);
    }
    if (*event) return *event;
  }
  return std::nullopt;
}

std::optional<connection_state::clock::time_point> connection_state::deadline() const noexcept {
  if (phase_ == phase::closed) return std::nullopt;
  std::optional<clock::time_point> out;
  if (options_.idle_time_out.count() != 0) out = last_received_ + options_.idle_time_out;
  if (peer_idle_.count() != 0 && !closed_here_ && (!out || last_sent_ + peer_idle_ / 2 < *out)) out = last_sent_ + peer_idle_ / 2;
  return out;
}

void connection_state::tick(clock::time_point now) {
  now_ = now;
  if (phase_ == phase::closed) return;
  if (options_.idle_time_out.count() != 0 && now - last_received_ >= options_.idle_time_out) return fail(errc::silent_peer);
  if (peer_idle_.count() != 0 && now - last_sent_ >= peer_idle_ / 2 && !closed_here_) {
    write_empty_frame(output_);
    said();
  }
}

// Tells the peer, and the one above.
void connection_state::fail(errc what) {
  fault_ = what;
  settling_.reset();
  connection_closed closed;
  closed.by_peer = false;
  closed.why.condition = {condition_of(what)};
  if (opened_here_) close(condition_of(what), make_error_code(what).message());
  phase_ = phase::closed;
  urgent_ = closed;
}

std::optional<std::uint16_t> connection_state::channel_of_peer(std::uint16_t channel) const noexcept {
  for (std::size_t i = 0; i < sessions_.size(); ++i)
    if (sessions_[i] && sessions_[i]->peer_channel == channel) return static_cast<std::uint16_t>(i);
  return std::nullopt;
}

std::optional<std::uint16_t> connection_state::free_channel() {
  for (std::size_t i = 0; i < sessions_.size(); ++i)
    if (!sessions_[i]) return static_cast<std::uint16_t>(i);
  if (sessions_.size() > std::min(options_.channel_max, peer_channel_max_)) return std::nullopt;
  sessions_.emplace_back();
  return static_cast<std::uint16_t>(sessions_.size() - 1);
}

// What was sent on a link that is gone: nobody will settle it.
void connection_state::forget(link_id id) {
  auto* const s = session(id.session);
  for (auto& sent : s->unsettled)
    if (sent.handle == id.handle) sent.open = false;
  while (!s->unsettled.empty() && !s->unsettled.front().open) s->unsettled.pop_front();
  std::erase_if(s->waiting, [&](outgoing_delivery const& w) { return w.handle == id.handle; });
  s->links[id.handle].reset();
}

}  // namespace weir::amqp::detail
