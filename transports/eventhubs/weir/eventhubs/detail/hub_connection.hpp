#pragma once
#include <weir/async_scope.hpp>
#include <weir/clock.hpp>
#include <weir/context.hpp>
#include <weir/detail/nursery.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/hub_session.hpp>
#include <weir/eventhubs/detail/hub_user.hpp>
#include <weir/eventhubs/detail/token_book.hpp>
#include <weir/eventhubs/stream_opener.hpp>
#include <weir/eventhubs/token.hpp>
#include <weir/net/byte_stream.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir::eventhubs::detail {

struct hub_connection_options {
  stream_opener open;
  hub_session_options session;
  token_source tokens;
  std::uint32_t seed = 1;  // of what pauses are blurred by
};

// The connection to a namespace for as long as somebody uses it, one after the other when they are lost, with pauses that grow. It moves
// the bytes of a `hub_session` in coroutines of its own beside those of its users, which are on the same strand: a reader, a writer, and a
// timer of the pipeline's clock.
class hub_connection final : public std::enable_shared_from_this<hub_connection>, private timer {
public:
  // In the run whose end joins it. Users may be in others on the same strand, which end earlier.
  hub_connection(weir::detail::nursery& home, hub_connection_options options);
  hub_connection(hub_connection const&) = delete;
  hub_connection& operator=(hub_connection const&) = delete;

  // It takes no more users.
  bool over() const noexcept { return over_; }
  // Why it will never be there. What was there once is waited for, whatever happens.
  std::optional<error> const& never() const noexcept { return never_; }
  // What went wrong last.
  std::optional<error> const& failure() const noexcept { return failure_; }
  // Woken whenever a connection or a token is there or not.
  weir::detail::wait_list& changed() noexcept { return changed_; }

private:
  friend class hub_user;
  void enter(hub_user& user);
  void leave(hub_user& user);
  token_book const& tokens() const noexcept { return tokens_; }
  bool allows(std::string const& audience) const;
  void renew(std::string const& audience);
  std::optional<amqp::session_id> begin(hub_user& user);
  void end(amqp::session_id session);
  amqp::connection* on() noexcept { return session_ && session_->ready() ? &session_->connection() : nullptr; }
  void flush();

  static weir::detail::root serve(std::shared_ptr<hub_connection> self);
  task<> run();
  task<> connect_and_carry();
  task<> carry(std::unique_ptr<net::byte_stream> stream);
  task<> write_all(net::byte_stream& to, async_scope& scope);
  task<> read_all(net::byte_stream& from);
  void route(amqp::connection_event const& event);
  void disconnected();
  std::chrono::nanoseconds pause(error const& why);
  moment now() const noexcept;
  void arm();
  void fire() noexcept override;

  hub_connection_options options_;
  weir::detail::nursery_ref home_;
  token_book tokens_;
  std::optional<hub_session> session_;
  std::vector<hub_user*> users_, by_channel_;
  weir::detail::wait_list changed_, writable_;
  context* attempt_ = nullptr;  // from before a connection is there until it is lost
  async_scope* moving_ = nullptr;
  std::optional<time_point> armed_, give_up_at_;
  std::optional<time_point> ready_since_;
  std::optional<error> never_, failure_;
  std::minstd_rand random_;
  unsigned failures_ = 0;
  bool started_ = false, over_ = false, was_ready_ = false;
};

}  // namespace weir::eventhubs::detail
