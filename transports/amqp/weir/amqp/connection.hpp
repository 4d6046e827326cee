#pragma once
#include <weir/amqp/connection_event.hpp>
#include <weir/amqp/connection_options.hpp>
#include <weir/amqp/link_options.hpp>
#include <weir/amqp/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace weir::amqp {
namespace detail {
class connection_state;
}

/// One end of an AMQP connection, from the protocol header on, without I/O: bytes and time go in, bytes and events come out.
/// ```cpp
/// connection end(options, now);
/// end.open();
/// for (;;) {
///   write(end.output()); end.sent(end.output().size());
///   end.feed(read(), now);
///   while (auto const event = end.next()) ...
/// }
/// ```
/// Sessions and links are made by either side. What the standard leaves to this side alone is done without asking: windows of sessions are
/// kept open, messages are cut into frames and put together again, detaches and closes are answered, empty frames go out in half the time
/// that the peer has said it would wait.
///
/// Backpressure: a peer sends no message without `grant`, and `send` takes none without `credit`. Memory: the bytes not yet read and those
/// not yet sent, one message for each receiver, and 16 bytes for each message that was sent and is not settled.
/// Errors: what a peer does against the standard is the event `connection_closed` with the condition that is sent to it; `fault` says more.
/// Thread-safety: none. Source: AMQP 1.0, part 2.
class connection {
public:
  using clock = std::chrono::steady_clock;

  connection(connection_options options, clock::time_point now);
  connection(connection&&) noexcept;
  connection& operator=(connection&&) noexcept;
  ~connection();

  // What moves the bytes.

  /// Bytes from the peer, in pieces of any size.
  void feed(std::string_view bytes, clock::time_point now);
  /// What has happened: nothing when more bytes are needed. Takes one frame at a time, so that what is fed and not asked for waits.
  std::optional<connection_event> next();
  /// Bytes to the peer.
  std::string_view output() const noexcept;
  /// They have been sent, the first `bytes` of them.
  void sent(std::size_t bytes);
  /// When `tick` is due: an empty frame has to go out, or the peer has been silent for too long.
  std::optional<clock::time_point> deadline() const noexcept;
  void tick(clock::time_point now);

  // What this side does. Each writes at once; the peer's answer is an event. For a session or a link that is gone they do nothing.

  void open();
  /// Null: there are as many as both sides allow.
  std::optional<session_id> begin();
  /// Ends it and all its links. Nothing of it is an event any more, but `session_ended`.
  void end(session_id session);
  /// `role::sender`: messages may be sent when there is credit. Null: the session is not there, or has as many as it may.
  std::optional<link_id> attach(session_id session, link_options const& options);
  /// The answer to a peer's `link_attached`. `name` and `role` are the peer's.
  void accept(link_id link, link_options const& options);
  /// The other answer: neither source nor target, and a detach that says why.
  void refuse(link_id link, std::string_view condition, std::string_view description);
  /// `closed` as in `link_detached`. A condition: with an error.
  void detach(link_id link, bool closed, std::string_view condition = {}, std::string_view description = {});
  /// The last that is sent.
  void close(std::string_view condition = {}, std::string_view description = {});

  // A receiver.

  /// From now on the peer may send `credit` more messages, in place of what it might before.
  void grant(link_id link, std::uint32_t credit);
  /// As `grant`; and what the peer has nothing for is given back (`link_drained`).
  void drain(link_id link, std::uint32_t credit);
  /// How many messages the peer may still send, or a sender may.
  std::uint32_t credit(link_id link) const noexcept;
  /// Says what has become of the messages from `first` to `last`, all of this link, and is done with them.
  void settle(link_id link, std::uint32_t first, std::uint32_t last, outcome what);
  /// The same, with the reason why they are refused.
  void reject(link_id link, std::uint32_t first, std::uint32_t last, std::string_view condition, std::string_view description);

  // A sender.

  /// Sends a message, if there is credit; the id by which it is settled. `settled`: nobody waits to hear what becomes of it.
  std::optional<std::uint32_t> send(link_id link, std::string_view tag, std::string_view bytes, std::uint32_t format = 0,
                                    bool settled = false);
  /// All credit is given back, there is nothing to send: the answer to `credit_changed::drain`.
  void drained(link_id link);
  /// Bytes of a message that the peer takes at most; 0: no limit.
  std::uint64_t max_message_size(link_id link) const noexcept;
  /// Messages handed over that wait for the session's window.
  std::size_t waiting(session_id session) const noexcept;

  /// What the peer has done wrong, once `connection_closed` told of it.
  std::optional<errc> fault() const noexcept;

private:
  std::unique_ptr<detail::connection_state> state_;
};

}  // namespace weir::amqp
