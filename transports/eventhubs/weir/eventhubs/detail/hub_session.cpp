#include <weir/eventhubs/detail/hub_session.hpp>

#include <weir/amqp/errc.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/condition.hpp>

#include <algorithm>
#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

constexpr std::chrono::seconds longest_pause_for_cbs{30};

amqp::sasl_options sasl_of(hub_session_options const& from) {
  amqp::sasl_options out;
  out.hostname = from.hostname;
  return out;
}

amqp::connection_options connection_of(hub_session_options const& from) {
  amqp::connection_options out;
  out.container_id = from.container_id;
  out.hostname = from.hostname;
  out.channel_max = 4999;  // what the service has; one session for each partition
  return out;
}

void sooner(std::optional<time_point>& out, std::optional<time_point> other) {
  if (other && (!out || *other < *out)) out = other;
}

std::string reason_of(amqp::error_view const& why, std::string_view otherwise) {
  std::string out(why.condition.text.empty() ? otherwise : why.condition.text);
  if (!why.description.empty()) out.append(": ").append(why.description);
  return out;
}

}  // namespace

hub_session::hub_session(hub_session_options options, token_book& tokens, moment now)
    : options_(std::move(options)),
      tokens_(tokens),
      sasl_(sasl_of(options_)),
      connection_(connection_of(options_), now.at),
      opening_until_(now.at + options_.patience) {}

void hub_session::lose(std::error_code code, std::string why) {
  if (!lost_) lost_ = session_loss{code, std::move(why)};
}

void hub_session::feed(std::string_view bytes, moment now) {
  if (speaking_) {
    connection_.feed(bytes, now.at);
    return;
  }
  switch (sasl_.feed(bytes)) {
    case amqp::sasl_progress::under_way: return;
    case amqp::sasl_progress::done: break;
    case amqp::sasl_progress::refused:
      return lose(errc::access_denied, "the service does not let anybody in by ANONYMOUS; it offers " + sasl_.offered());
    case amqp::sasl_progress::broken:
      return lose(errc::malformed, "what answers is not AMQP: " + std::error_code(*sasl_.fault()).message());
  }
  speaking_ = true;
  connection_.open();
  connection_.feed(sasl_.left(), now.at);
}

std::string_view hub_session::output() const noexcept {
  return sasl_.output().empty() && speaking_ ? connection_.output() : sasl_.output();
}

void hub_session::sent(std::size_t bytes) {
  if (sasl_.output().empty()) connection_.sent(bytes);
  else sasl_.sent(bytes);
}

std::optional<amqp::connection_event> hub_session::next(moment now) {
  while (!lost_) {
    auto event = speaking_ ? connection_.next() : std::nullopt;
    if (!event) {
      put_tokens(now);
      return event;
    }
    if (!take(*event, now)) return event;
  }
  return std::nullopt;
}

bool hub_session::take(amqp::connection_event const& event, moment now) {
  if (std::holds_alternative<amqp::opened>(event)) {
    session_ = connection_.begin();
    return true;
  }
  if (auto const* const gone = std::get_if<amqp::connection_closed>(&event)) {
    closed(*gone);
    return true;
  }
  if (auto const* const begun = std::get_if<amqp::session_begun>(&event); begun != nullptr && begun->session == session_) {
    channel_.emplace("$cbs", "cbs-" + std::to_string(++channels_));
    channel_->open(connection_, *session_);
    return true;
  }
  if (auto const* const ended = std::get_if<amqp::session_ended>(&event); ended != nullptr && ended->session == session_) {
    if (channel_ && !channel_->lost()) tokens_lost(now);
    channel_.reset();
    ask_again(now);
    return true;
  }
  if (!channel_ || !channel_->take(connection_, event)) return false;
  if (channel_->lost()) {
    if (auto const* const gone = std::get_if<amqp::link_detached>(&event); gone != nullptr && !ready_)
      lose(code_of(gone->why.condition.text), "no tokens can be put: " + reason_of(gone->why, "the link to $cbs was refused"));
    tokens_lost(now);
    connection_.end(*session_);  // with the other link of the pair: there may be only one
  } else if (auto const& reply = channel_->reply(); reply && reply->request == asked_) {
    asked_.reset();
    answer_until_.reset();
    lost_pairs_ = 0;
    tokens_.answered(reply->status, reply->condition, reply->description, now);
  }
  if (channel_->ready(connection_)) {
    ready_ = true;
    opening_until_.reset();
  }
  return true;
}

void hub_session::closed(amqp::connection_closed const& event) {
  if (closing_ && event.why.condition.text.empty()) return lose(errc::cancelled, "it was closed");
  if (auto const fault = connection_.fault()) {
    bool const silent = *fault == amqp::errc::silent_peer;
    return lose(
        silent ? errc::unavailable : errc::malformed,
        silent ? "the service was not heard of for too long" : "the service breaks the protocol: " + std::error_code(*fault).message());
  }
  lose(code_of(event.why.condition.text), "the service closed the connection: " + reason_of(event.why, "it gives no reason"));
}

// At once the first time, as links that are idle are taken away; then with pauses that grow.
void hub_session::ask_again(moment now) {
  session_.reset();
  if (lost_pairs_++ == 0) session_ = connection_.begin();
  else again_at_ = now.at + std::min(longest_pause_for_cbs, std::chrono::seconds(1 << std::min(lost_pairs_ - 2, 5U)));
}

// What was asked by it will not be answered.
void hub_session::tokens_lost(moment now) {
  if (asked_) tokens_.unanswered(now);
  asked_.reset();
  answer_until_.reset();
}

void hub_session::put_tokens(moment now) {
  if (!ready_ || asked_ || closing_ || !channel_ || !channel_->ready(connection_)) return;
  auto const next = tokens_.next(now);
  if (!next) return;
  asked_ = channel_->ask(connection_, [&](amqp::message_writer& message) {
    auto const map = message.begin_application_properties();
    message.to().string("operation");
    message.to().string("put-token");
    message.to().string("type");
    message.to().string(next->value.type);
    message.to().string("name");
    message.to().string(next->audience);
    message.end(map);
    message.begin_value();
    message.to().string(next->value.text);
  });
  answer_until_ = now.at + options_.patience;
}

std::optional<time_point> hub_session::deadline() const {
  std::optional<time_point> out;
  if (lost_) return out;
  if (speaking_) out = connection_.deadline();
  sooner(out, opening_until_);
  sooner(out, answer_until_);
  sooner(out, closing_until_);
  sooner(out, again_at_);
  if (ready_ && !asked_ && !closing_ && channel_ && channel_->ready(connection_)) sooner(out, tokens_.due());
  return out;
}

void hub_session::tick(moment now) {
  auto const passed = [&](std::optional<time_point> const& until) { return until && *until <= now.at; };
  if (passed(opening_until_))
    lose(errc::timed_out, "the service has not let it in within " + std::to_string(options_.patience.count()) + " ms");
  if (passed(closing_until_)) lose(errc::cancelled, "it was closed, and the service did not answer");
  if (passed(answer_until_)) tokens_lost(now);
  if (passed(again_at_)) {
    again_at_.reset();
    session_ = connection_.begin();
  }
  if (speaking_ && passed(connection_.deadline())) connection_.tick(now.at);
  put_tokens(now);
}

void hub_session::close(moment now) {
  if (closing_ || lost_) return;
  closing_ = true;
  closing_until_ = now.at + std::min<std::chrono::milliseconds>(options_.patience, std::chrono::seconds(2));
  if (speaking_) connection_.close();
  else lose(errc::cancelled, "it was closed");
}

}  // namespace weir::eventhubs::detail
