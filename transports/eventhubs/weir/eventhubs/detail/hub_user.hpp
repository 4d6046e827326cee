#pragma once
#include <weir/amqp/connection.hpp>
#include <weir/detail/wait_list.hpp>
#include <weir/error.hpp>
#include <weir/task.hpp>

#include <memory>
#include <optional>
#include <string>

namespace weir::eventhubs::detail {

class hub_connection;

// Somebody with a session of his own on a connection, whichever it is at the time, and a token for what he does there. Strand only.
class hub_user {
public:
  // `audience`: what the token is for.
  hub_user(std::shared_ptr<hub_connection> by, std::string audience);
  hub_user(hub_user const&) = delete;
  hub_user& operator=(hub_user const&) = delete;

  std::string const& audience() const noexcept { return audience_; }
  // Until there is a connection, and the service has the token. Throws what keeps it from ever being so.
  task<> until_allowed();
  // The service does not take the token for good any more.
  void renew_token();
  // A new session, in place of the one before. Null: the connection is gone, or allows no more.
  std::optional<amqp::session_id> begin();
  // Ends the session, and all that is in it.
  void end();
  // Null: there is none at the moment.
  amqp::connection* on() const noexcept;
  // Sends what was written.
  void flush();
  // The connection takes nothing any more.
  bool over() const noexcept;
  // What went wrong last with it.
  std::optional<error> const& connection_failure() const noexcept;
  // Something has happened to the user.
  weir::detail::wait_list& changed() noexcept { return changed_; }

protected:
  ~hub_user();

private:
  friend class hub_connection;
  // An event of the session; `changed` is woken behind it.
  virtual void take(amqp::connection& on, amqp::connection_event const& event) = 0;
  // The connection is gone, and the session with it.
  virtual void disconnected() = 0;

  std::shared_ptr<hub_connection> const by_;
  std::string const audience_;
  std::optional<amqp::session_id> session_;
  weir::detail::wait_list changed_;
};

}  // namespace weir::eventhubs::detail
