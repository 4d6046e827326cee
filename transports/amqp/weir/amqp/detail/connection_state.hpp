#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/amqp/detail/session_state.hpp>
#include <weir/amqp/frame.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::amqp::detail {

// What a connection knows. What comes from the peer is in connection_input.cpp, what goes to it in connection_output.cpp.
class connection_state {
public:
  using clock = connection::clock;

  connection_state(connection_options options, clock::time_point now);

  void feed(std::string_view bytes, clock::time_point now);
  std::optional<connection_event> next();
  std::optional<clock::time_point> deadline() const noexcept;
  void tick(clock::time_point now);

  void open();
  std::optional<session_id> begin();
  void end(session_id id);
  std::optional<link_id> attach(session_id id, link_options const& options);
  void accept(link_id id, link_options const& options);
  void refuse(link_id id, std::string_view condition, std::string_view description);
  void detach(link_id id, bool closed, std::string_view condition, std::string_view description);
  void close(std::string_view condition, std::string_view description);

  void grant(link_id id, std::uint32_t credit, bool drain);
  void settle(link_id id, std::uint32_t first, std::uint32_t last, encoded_view state);
  std::optional<std::uint32_t> send(link_id id, std::string_view tag, std::string_view bytes, std::uint32_t format, bool settled);
  void drained(link_id id);

  session_state* session(session_id id) noexcept { return const_cast<session_state*>(std::as_const(*this).session(id)); }
  session_state const* session(session_id id) const noexcept {
    return id.channel < sessions_.size() && sessions_[id.channel] ? &*sessions_[id.channel] : nullptr;
  }
  link_state* link(link_id id) noexcept { return const_cast<link_state*>(std::as_const(*this).link(id)); }
  link_state const* link(link_id id) const noexcept {
    auto const* const s = session(id.session);
    return s == nullptr ? nullptr : s->link(id.handle);
  }
  // One on which something can still be done; null otherwise.
  link_state* usable(link_id id) noexcept {
    auto* const s = session(id.session);
    if (closed_here_ || s == nullptr || s->leaving) return nullptr;
    auto* const l = s->link(id.handle);
    return l == nullptr || l->leaving ? nullptr : l;
  }
  std::string const& output() const noexcept { return output_; }
  void sent(std::size_t bytes) { output_.erase(0, bytes); }
  std::optional<errc> fault() const noexcept { return fault_; }

private:
  enum class phase : std::uint8_t { header, open, closed };

  // A range of deliveries that the peer has settled in one frame.
  struct settling {
    std::uint16_t channel;
    std::uint32_t at, last;
    bool settled;
    std::string state;  // encoded
  };

  // Input. Each gives the event that the frame is, if it is one.
  using step = result<std::optional<connection_event>>;
  step take(frame const& f);
  step on(std::uint16_t channel, amqp::open const& body, std::string_view payload);
  step on(std::uint16_t channel, amqp::begin const& body, std::string_view payload);
  step on(std::uint16_t channel, amqp::attach const& body, std::string_view payload);
  step on(std::uint16_t channel, flow const& body, std::string_view payload);
  step on(std::uint16_t channel, transfer const& body, std::string_view payload);
  step on(std::uint16_t channel, disposition const& body, std::string_view payload);
  step on(std::uint16_t channel, amqp::detach const& body, std::string_view payload);
  step on(std::uint16_t channel, amqp::end const& body, std::string_view payload);
  step on(std::uint16_t channel, amqp::close const& body, std::string_view payload);
  step message_of(link_id id, link_state& link, transfer const& body, std::string_view payload);
  std::optional<connection_event> next_settled();
  std::optional<std::uint16_t> channel_of_peer(std::uint16_t channel) const noexcept;
  std::optional<std::uint16_t> free_channel();
  void fail(errc what);

  // Output.
  void write_begin(std::uint16_t channel);
  void write_attach(link_id id, link_state& link, link_options const& options);
  flow flow_of(session_state& s) const noexcept;
  void write_flow(std::uint16_t channel);
  void write_flow(link_id id, link_state const& link, bool drain);
  void write_waiting(std::uint16_t channel);
  bool write_transfers(std::uint16_t channel, outgoing_delivery& what, std::string_view& bytes);
  void forget(link_id id);
  void said() noexcept { last_sent_ = now_; }

  connection_options options_;
  phase phase_ = phase::header;
  bool opened_here_ = false, opened_there_ = false;
  bool closed_here_ = false;
  std::optional<errc> fault_;
  std::optional<connection_event> urgent_;  // does not come of a frame

  std::string input_;
  std::size_t read_ = 0;  // of the input
  std::string output_;
  std::optional<settling> settling_;

  std::uint32_t peer_max_frame_ = 512;  // until it says so, the least that every peer takes
  std::uint16_t peer_channel_max_ = 0;
  clock::duration peer_idle_{};  // 0: it waits for ever
  clock::time_point now_, last_received_, last_sent_;

  std::vector<std::optional<session_state>> sessions_;  // by the channel of this side
};

// The condition that the peer is told. Source: AMQP 1.0, 2.8.15 to 2.8.18.
std::string_view condition_of(errc what) noexcept;

}  // namespace weir::amqp::detail
