#include <weir/amqp/connection.hpp>
#include <weir/amqp/detail/connection_state.hpp>

#include <utility>

namespace weir::amqp {

connection::connection(connection_options options, clock::time_point now)
    : state_(std::make_unique<detail::connection_state>(std::move(options), now)) {}
connection::connection(connection&&) noexcept = default;
connection& connection::operator=(connection&&) noexcept = default;
connection::~connection() = default;

void connection::feed(std::string_view bytes, clock::time_point now) { state_->feed(bytes, now); }
std::optional<connection_event> connection::next() { return state_->next(); }
std::string_view connection::output() const noexcept { return state_->output(); }
void connection::sent(std::size_t bytes) { state_->sent(bytes); }
std::optional<connection::clock::time_point> connection::deadline() const noexcept { return state_->deadline(); }
void connection::tick(clock::time_point now) { state_->tick(now); }

void connection::open() { state_->open(); }
std::optional<session_id> connection::begin() { return state_->begin(); }
void connection::end(session_id session) { state_->end(session); }
std::optional<link_id> connection::attach(session_id session, link_options const& options) { return state_->attach(session, options); }
void connection::accept(link_id link, link_options const& options) { state_->accept(link, options); }
void connection::refuse(link_id link, std::string_view condition, std::string_view description) {
  state_->refuse(link, condition, description);
}
void connection::detach(link_id link, bool closed, std::string_view condition, std::string_view description) {
  state_->detach(link, closed, condition, description);
}
void connection::close(std::string_view condition, std::string_view description) { state_->close(condition, description); }

void connection::grant(link_id link, std::uint32_t credit) { state_->grant(link, credit, false); }
void connection::drain(link_id link, std::uint32_t credit) { state_->grant(link, credit, true); }

std::uint32_t connection::credit(link_id link) const noexcept {
  auto const* const l = std::as_const(*state_).link(link);
  return l == nullptr ? 0 : l->credit;
}

void connection::settle(link_id link, std::uint32_t first, std::uint32_t last, outcome what) {
  state_->settle(link, first, last, encoded_outcome(what));
}

void connection::reject(link_id link, std::uint32_t first, std::uint32_t last, std::string_view condition, std::string_view description) {
  std::string const state = encoded_rejection(condition, description);
  state_->settle(link, first, last, {state});
}

std::optional<std::uint32_t> connection::send(link_id link, std::string_view tag, std::string_view bytes, std::uint32_t format,
                                              bool settled) {
  return state_->send(link, tag, bytes, format, settled);
}

void connection::drained(link_id link) { state_->drained(link); }

std::uint64_t connection::max_message_size(link_id link) const noexcept {
  auto const* const l = std::as_const(*state_).link(link);
  return l == nullptr ? 0 : l->max_message_size;
}

std::size_t connection::waiting(session_id session) const noexcept {
  auto const* const s = std::as_const(*state_).session(session);
  return s == nullptr ? 0 : s->waiting.size();
}

std::optional<errc> connection::fault() const noexcept { return state_->fault(); }

}  // namespace weir::amqp
