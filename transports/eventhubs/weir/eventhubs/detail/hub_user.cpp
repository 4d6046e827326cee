#include <weir/eventhubs/detail/hub_user.hpp>

#include <weir/eventhubs/detail/hub_connection.hpp>

#include <utility>

namespace weir::eventhubs::detail {

hub_user::hub_user(std::shared_ptr<hub_connection> by, std::string audience) : by_(std::move(by)), audience_(std::move(audience)) {
  by_->enter(*this);
}

hub_user::~hub_user() { by_->leave(*this); }

task<> hub_user::until_allowed() {
  for (;;) {
    if (auto const& never = by_->never()) throw error(*never);
    if (auto const refused = by_->tokens().refused(audience_)) {
      throw error(refused->code, "event hubs: access is denied", refused->why,
                  "see that the key, its name and the event hub are right, and that it allows what is asked for")
          .with_detail(audience_);
    }
    if (by_->allows(audience_)) co_return;
    co_await by_->changed().wait();
  }
}

void hub_user::renew_token() { by_->renew(audience_); }

std::optional<amqp::session_id> hub_user::begin() {
  end();
  session_ = by_->begin(*this);
  return session_;
}

void hub_user::end() {
  if (session_) by_->end(*session_);
  session_.reset();
}

amqp::connection* hub_user::on() const noexcept { return by_->on(); }
bool hub_user::over() const noexcept { return by_->over(); }
std::optional<error> const& hub_user::connection_failure() const noexcept { return by_->failure(); }
void hub_user::flush() { by_->flush(); }

}  // namespace weir::eventhubs::detail
