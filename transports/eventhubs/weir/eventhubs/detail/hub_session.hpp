#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/amqp/sasl_client.hpp>
#include <weir/eventhubs/detail/moment.hpp>
#include <weir/eventhubs/detail/request_channel.hpp>
#include <weir/eventhubs/detail/token_book.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::eventhubs::detail {

struct hub_session_options {
  std::string container_id;              // unique
  std::string hostname;                  // the namespace's
  std::chrono::milliseconds patience{};  // for all that is asked: how long the service may take to answer, > 0
};

// Why a connection is over.
struct session_loss {
  std::error_code code;
  std::string why;
};

// One connection to the service, from its first byte to its last, without I/O: says who it is (SASL ANONYMOUS), opens, has the one pair of
// links to $cbs that there may be, and puts tokens by it when they are due. Everything else on it is somebody else's, who gets its events
// by `next`, and sees to it that what he wrote is sent.
class hub_session {
public:
  // `tokens` outlives it, and does not hold any of another connection.
  hub_session(hub_session_options options, token_book& tokens, moment now);

  void feed(std::string_view bytes, moment now);
  std::string_view output() const noexcept;
  void sent(std::size_t bytes);
  // What has happened that is not its own affair. Views as those of an `amqp::connection`.
  std::optional<amqp::connection_event> next(moment now);
  // When `tick` is due; it may change with whatever is called.
  std::optional<time_point> deadline() const;
  void tick(moment now);

  // Links can be made.
  bool ready() const noexcept { return ready_ && !lost_; }
  // It is over. What it still has to say may be sent.
  std::optional<session_loss> const& lost() const noexcept { return lost_; }
  amqp::connection& connection() noexcept { return connection_; }
  // Says goodbye; it is lost when the peer has answered, or did not in time.
  void close(moment now);

private:
  bool take(amqp::connection_event const& event, moment now);
  void closed(amqp::connection_closed const& event);
  void tokens_lost(moment now);
  void ask_again(moment now);
  void put_tokens(moment now);
  void lose(std::error_code code, std::string why);

  hub_session_options options_;
  token_book& tokens_;
  amqp::sasl_client sasl_;
  amqp::connection connection_;
  bool speaking_ = false, ready_ = false, closing_ = false;
  std::optional<amqp::session_id> session_;  // of $cbs
  std::optional<request_channel> channel_;
  unsigned channels_ = 0, lost_pairs_ = 0;  // in all; since a token was answered
  std::optional<std::uint64_t> asked_;
  std::optional<time_point> opening_until_, answer_until_, closing_until_;
  std::optional<time_point> again_at_;  // $cbs is asked for once more
  std::optional<session_loss> lost_;
};

}  // namespace weir::eventhubs::detail
