#include <weir/eventhubs/detail/hub_sender.hpp>

#include <weir/eventhubs/detail/held_up.hpp>
#include <weir/eventhubs/detail/hub_connection.hpp>
#include <weir/eventhubs/detail/pace.hpp>
#include <weir/eventhubs/sas_token.hpp>
#include <weir/timeout.hpp>

#include <algorithm>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

std::string address_of(hub_sender_options const& o) {
  return o.partition.empty() ? o.event_hub : o.event_hub + "/Partitions/" + o.partition;
}

}  // namespace

class hub_sender::sending {
public:
  sending(hub_sender& of, event_lanes& what) : events(what), of_(of) { of_.senders_.push_back(this); }
  sending(sending const&) = delete;
  sending& operator=(sending const&) = delete;
  ~sending() {
    std::erase(of_.senders_, this);
    of_.used_ = of_.env_.clock().steady();
    for (auto& [delivery, batch] : of_.under_way_) {
      if (batch.of != this) continue;
      batch.of = nullptr;
      events.again(batch.lane);
    }
  }

  event_lanes& events;
  std::optional<error> failure;

private:
  hub_sender& of_;
};

hub_sender::hub_sender(std::shared_ptr<hub_connection> by, hub_sender_options options, environment& env)
    : hub_user(std::move(by), eventhubs::audience(options.authority, address_of(options))),
      options_(std::move(options)),
      link_(address_of(options_), options_.name),
      env_(env),
      random_(options_.seed),
      used_(env.clock().steady()) {}

std::optional<std::chrono::nanoseconds> hub_sender::idle_since() const noexcept {
  return senders_.empty() ? std::optional(used_) : std::nullopt;
}

task<> hub_sender::send(event_lanes& events) {
  sending mine(*this, events);
  while (!events.empty()) {
    task<> going = with_timeout(options_.patience, until_some_taken(mine));
    try {
      co_await std::move(going);
    } catch (error& e) {
      if (e.code() == errc::timed_out) {
        auto const& why = last_failure_ ? last_failure_ : connection_failure();
        e = error(errc::timed_out, "event hubs: no event was taken within " + std::to_string(options_.patience.count()) + " ms",
                  why ? why->what() : "the service does not answer");
        if (senders_.size() == 1) start_over();
      }
      if (e.stream().empty()) e.with_stream(options_.event_hub).with_partition(options_.partition);
      throw;
    }
  }
}

task<> hub_sender::until_some_taken(sending& mine) {
  std::size_t const before = mine.events.left();
  while (mine.events.left() == before) {
    task<> allowing = until_allowed();
    co_await std::move(allowing);
    if (mine.failure) throw error(*mine.failure);
    if (std::exchange(token_due_, false)) {
      renew_token();
      continue;
    }
    drive();
    if (auto const& fault = mine.events.fault()) throw error(*fault);
    if (!mine.failure) co_await changed().wait();
  }
}

// The next time it is tried by another link, since this one may be dead.
void hub_sender::start_over() {
  link_.disconnected();
  for (auto const& [delivery, batch] : std::exchange(under_way_, {}))
    if (batch.of) batch.of->events.again(batch.lane);
  end();
  flush();
}

// Does what can be done at the moment, for all who send.
void hub_sender::drive() {
  if (resting()) return;
  if (!link_.there()) open();
  else send_what_there_is();
  flush();
  (void)resting();  // what has failed at once is tried again then
}

bool hub_sender::resting() {
  if (!rest_until_) return false;
  std::chrono::nanoseconds const left = *rest_until_ - env_.clock().steady();
  if (left > std::chrono::nanoseconds{}) {
    if (!pending()) env_.clock().start(*this, left);
    return true;
  }
  rest_until_.reset();
  return false;
}

void hub_sender::open() {
  auto const session = begin();
  if (session) link_.open(*on(), *session);
  else link_.refused("the connection has no room for another session");
  if (link_.loss()) link_lost();
}

void hub_sender::send_what_there_is() {
  for (sending* const s : senders_) {
    while (link_.credit(*on()) != 0) {
      auto const batch = s->events.next(std::min(options_.most_bytes, link_.most_bytes(*on())));
      if (!batch) break;
      auto const delivery = link_.send(*on(), batch->message);
      if (!delivery) {
        s->events.again(batch->lane);
        return;
      }
      under_way_.insert_or_assign(*delivery, batch_under_way{s, batch->lane});
    }
  }
}

void hub_sender::take(amqp::connection&, amqp::connection_event const& event) {
  bool const was_there = link_.there();
  link_.take(event);
  if (auto const& outcome = link_.outcome()) settle(*outcome);
  if (was_there && link_.loss()) link_lost();
}

void hub_sender::settle(batch_outcome const& outcome) {
  auto const found = under_way_.find(outcome.delivery);
  if (found == under_way_.end()) return;
  auto const [of, lane] = found->second;
  under_way_.erase(found);
  if (!outcome.failure) {
    failures_ = 0;
    renewed_ = false;
    last_failure_.reset();
    if (of) of->events.taken(lane);
    return;
  }
  if (of) of->events.again(lane);
  bool const hopeless = outcome.failure->does == reaction::give_up || outcome.failure->does == reaction::let_go;
  if (!hopeless) return failed(*outcome.failure);
  if (of) of->failure = error_of(*outcome.failure);
}

// Nobody knows what has become of what was under way: it goes again.
void hub_sender::link_lost() {
  for (auto const& [delivery, batch] : std::exchange(under_way_, {}))
    if (batch.of) batch.of->events.again(batch.lane);
  sending_failure const why = *link_.loss();
  end();
  if (on() == nullptr && why.condition.empty()) return;  // the connection has pauses of its own
  failed(why);
}

// It is tried again, if that is of any use.
void hub_sender::failed(sending_failure const& why) {
  last_failure_ = error_of(why);
  bool const denied = why.does == reaction::new_token && renewed_;
  if (denied || why.does == reaction::give_up || why.does == reaction::let_go) {
    for (sending* const s : senders_) s->failure = last_failure_;
    renewed_ = false;
    return;
  }
  if (why.does == reaction::new_token) {
    token_due_ = renewed_ = true;
    return;
  }
  if (senders_.empty() || rest_until_) return;  // who sends next finds out
  held_up(env_, "sending events", ++failures_, *last_failure_);
  rest_until_ = env_.clock().steady() + pause_after(failures_, why.does, random_());
}

error hub_sender::error_of(sending_failure const& why) const {
  std::string text = why.condition.empty() ? std::string("the link is lost") : why.condition;
  if (!why.description.empty()) text.append(": ").append(why.description);
  std::error_code const code = code_of(why.condition);
  std::string advice;
  if (code == errc::not_found) advice = "correct the event hub, or the partition";
  if (code == errc::throttled) advice = "send less, or give the namespace more throughput units";
  if (code == errc::access_denied) advice = "see that the key allows to send";
  return error(code, "event hubs: events cannot be sent", std::move(text), std::move(advice))
      .with_stream(options_.event_hub)
      .with_partition(options_.partition);
}

void hub_sender::disconnected() {
  bool const was_there = link_.there();
  link_.disconnected();
  if (was_there) link_lost();
}

}  // namespace weir::eventhubs::detail
