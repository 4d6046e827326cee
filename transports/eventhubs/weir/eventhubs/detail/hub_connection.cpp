#include <weir/eventhubs/detail/hub_connection.hpp>

#include <weir/environment.hpp>
#include <weir/eventhubs/condition.hpp>
#include <weir/eventhubs/detail/held_up.hpp>
#include <weir/eventhubs/detail/pace.hpp>
#include <weir/sleep.hpp>

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

constexpr std::chrono::seconds longest_goodbye{2};
constexpr std::size_t room_to_read = std::size_t{64} * 1024;

// The channel of what an event is about. None: it is the connection.
struct channel_of_event {
  using result = std::optional<std::uint16_t>;
  result operator()(amqp::opened const&) const noexcept { return std::nullopt; }
  result operator()(amqp::connection_closed const&) const noexcept { return std::nullopt; }
  result operator()(amqp::session_begun const& e) const noexcept { return e.session.channel; }
  result operator()(amqp::session_ended const& e) const noexcept { return e.session.channel; }
  result operator()(auto const& e) const noexcept { return e.link.session.channel; }
};

task<> rest_for(std::chrono::nanoseconds d) { co_await sleep_for(d); }

error lost_error(std::error_code code, std::string why) { return error(code, "event hubs: the connection is lost", std::move(why)); }

}  // namespace

hub_connection::hub_connection(weir::detail::nursery& home, hub_connection_options options)
    : options_(std::move(options)), home_(home), tokens_(options_.tokens), random_(options_.seed) {}

moment hub_connection::now() const noexcept {
  clock const& by = home_->env().clock();
  moment out;
  out.at = time_point(by.steady());
  out.unix_time = by.now() / 1'000'000'000;
  return out;
}

void hub_connection::enter(hub_user& user) {
  users_.push_back(&user);
  tokens_.want(user.audience(), now());
  if (std::exchange(started_, true)) return flush();
  home_->start(serve(shared_from_this()), home_->main());
}

// Nothing is waited for: who leaves may be destroyed.
void hub_connection::leave(hub_user& user) {
  std::erase(users_, &user);
  tokens_.drop(user.audience());
  if (home_->dead()) return;
  user.end();
  if (users_.empty()) {
    over_ = true;
    if (session_) session_->close(now());
    else if (attempt_) attempt_->cancel();
  }
  flush();
}

bool hub_connection::allows(std::string const& audience) const {
  return session_ && session_->ready() && tokens_.holds(audience, now().unix_time);
}

void hub_connection::renew(std::string const& audience) {
  tokens_.renew(audience, now());
  flush();
}

std::optional<amqp::session_id> hub_connection::begin(hub_user& user) {
  if (!on()) return std::nullopt;
  auto const out = on()->begin();
  if (!out) return out;
  if (by_channel_.size() <= out->channel) by_channel_.resize(out->channel + std::size_t{1});
  by_channel_[out->channel] = &user;
  return out;
}

void hub_connection::end(amqp::session_id session) {
  if (session.channel < by_channel_.size()) by_channel_[session.channel] = nullptr;
  if (on()) on()->end(session);
}

void hub_connection::route(amqp::connection_event const& event) {
  auto const channel = std::visit(channel_of_event(), event);
  hub_user* const user = channel && *channel < by_channel_.size() ? by_channel_[*channel] : nullptr;
  if (!user) return;
  if (std::holds_alternative<amqp::session_ended>(event)) {
    by_channel_[*channel] = nullptr;
    user->session_.reset();
  }
  user->take(session_->connection(), event);
  user->changed_.wake();
}

// Everything that can have come of what was read, written, or of time.
void hub_connection::flush() {
  if (!session_) return;
  while (auto const event = session_->next(now())) route(*event);
  if (session_->ready() && !ready_since_) {
    ready_since_ = now().at;
    failure_.reset();
  }
  if (session_->lost() && !give_up_at_) give_up_at_ = now().at + longest_goodbye;
  changed_.wake();
  if (!session_->output().empty() || session_->lost()) writable_.wake();
  arm();
}

void hub_connection::arm() {
  std::optional<time_point> const until = give_up_at_ ? give_up_at_ : session_->deadline();
  clock& by = home_->env().clock();
  if (!until) return by.stop(*this);
  if (pending() && armed_ && *armed_ <= *until) return;  // it is looked at again then
  armed_ = until;
  by.start(*this, *until - now().at);
}

void hub_connection::fire() noexcept {
  armed_.reset();
  if (!session_) return;
  if (give_up_at_ && *give_up_at_ <= now().at) {
    if (moving_) moving_->cancel();
    return;
  }
  session_->tick(now());
  flush();
}

weir::detail::root hub_connection::serve(std::shared_ptr<hub_connection> self) {
  try {
    task<> all = self->run();
    co_await std::move(all);
  } catch (...) {
    // It was cancelled, and so are all who use it.
    self->disconnected();
  }
  self->over_ = true;
  self->attempt_ = nullptr;
  if (!self->never_) self->never_.emplace(lost_error(errc::cancelled, "the run that it was made for is over"));
  self->changed_.wake();
}

task<> hub_connection::run() {
  context& own = co_await current_context();
  co_await sleep_for(std::chrono::nanoseconds(0));  // its first user is still being made
  while (!users_.empty()) {
    context attempt(own);
    attempt_ = &attempt;
    std::optional<error> why;
    try {
      task<> one = connect_and_carry();
      co_await std::move(one).under(attempt);
    } catch (error const& e) {
      why.emplace(e);
    } catch (std::exception const& e) {
      why.emplace(error(errc::io, "event hubs: cannot connect", e.what()));
    }
    if (session_ && session_->lost()) why.emplace(lost_error(session_->lost()->code, session_->lost()->why));
    bool const lasted = ready_since_ && now().at - *ready_since_ >= longest_pause;
    was_ready_ = was_ready_ || ready_since_;
    disconnected();
    own.cancellation().throw_if_requested();
    if (users_.empty()) break;
    if (!why) why.emplace(lost_error(errc::unavailable, "the service hung up"));
    failure_ = why;
    if (!was_ready_ && why->code() != condition::retryable) {
      never_ = why;
      break;
    }
    failures_ = lasted ? 1 : failures_ + 1;
    held_up(own.environment(), "the connection", failures_, *why);
    task<> resting = rest_for(pause(*why));
    try {
      co_await std::move(resting).under(attempt);
    } catch (error const&) {
      own.cancellation().throw_if_requested();
    }
  }
  attempt_ = nullptr;
}

std::chrono::nanoseconds hub_connection::pause(error const& why) {
  return pause_after(failures_, why.code() == condition::throttled ? reaction::later : reaction::again, random_());
}

task<> hub_connection::connect_and_carry() {
  task<std::unique_ptr<net::byte_stream>> opening = options_.open();
  std::unique_ptr<net::byte_stream> stream = co_await std::move(opening);
  task<> carrying = carry(std::move(stream));
  co_await std::move(carrying);
}

task<> hub_connection::carry(std::unique_ptr<net::byte_stream> stream) {
  session_.emplace(options_.session, tokens_, now());
  net::byte_stream& by = *stream;
  auto body = [this, &by](async_scope& scope) { return write_all(by, scope); };
  task<> moving = with_scope(std::move(body));
  try {
    co_await std::move(moving);
  } catch (...) {
    moving_ = nullptr;
    throw;
  }
  moving_ = nullptr;
}

task<> hub_connection::write_all(net::byte_stream& to, async_scope& scope) {
  moving_ = &scope;
  scope.spawn(read_all(to));
  flush();
  std::string out;
  for (;;) {
    std::string_view const more = session_->output();
    if (!more.empty()) {
      out.assign(more);
      session_->sent(out.size());
      co_await to.write(out);
    } else if (session_->lost()) {
      break;
    } else {
      co_await writable_.wait();
    }
  }
  co_await to.close();
  scope.cancel();
}

task<> hub_connection::read_all(net::byte_stream& from) {
  std::vector<char> room(room_to_read);
  while (!session_->lost()) {
    std::size_t size = 0;
    try {
      size = co_await from.read_some(room);
    } catch (error const&) {
      if (session_->lost()) co_return;  // it is being closed
      throw;
    }
    if (size == 0) {
      if (session_->lost()) co_return;
      throw lost_error(errc::unavailable, "the service hung up");
    }
    session_->feed(std::string_view(room.data(), size), now());
    flush();
  }
}

// All of it is gone that was on the connection.
void hub_connection::disconnected() {
  if (!home_->dead()) home_->env().clock().stop(*this);
  armed_.reset();
  give_up_at_.reset();
  ready_since_.reset();
  session_.reset();
  by_channel_.clear();
  tokens_.lost(now());
  for (hub_user* const user : users_) {
    user->session_.reset();
    user->disconnected();
    user->changed_.wake();
  }
  changed_.wake();
}

}  // namespace weir::eventhubs::detail
