#include <weir/eventhubs/detail/token_book.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/condition.hpp>
#include <weir/eventhubs/detail/verdict.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace weir::eventhubs::detail {
namespace {

constexpr std::chrono::seconds first_pause{1}, longest_wait{30}, shortest_life{2};

}  // namespace

void token_book::want(std::string const& audience, moment now) {
  entry& e = entries_[audience];
  if (e.wanted++ == 0 || e.refused) {
    e.refused.reset();
    e.failures = 0;
    e.due = now.at;
  }
}

void token_book::drop(std::string const& audience) {
  auto const found = entries_.find(audience);
  if (found != entries_.end() && --found->second.wanted == 0) entries_.erase(found);
}

void token_book::renew(std::string const& audience, moment now) {
  auto const found = entries_.find(audience);
  if (found == entries_.end()) return;
  found->second.held = false;
  found->second.due = now.at;
}

std::optional<token_book::put> token_book::next(moment now) {
  if (under_way_) return std::nullopt;
  for (;;) {
    entry* first = nullptr;
    std::string const* name = nullptr;
    for (auto& [audience, e] : entries_)
      if (e.due && *e.due <= now.at && (first == nullptr || *e.due < *first->due)) {
        first = &e;
        name = &audience;
      }
    if (first == nullptr) return std::nullopt;
    try {
      put out{*name, make_(*name, now.unix_time)};
      if (first->held && now.unix_time < first->expires && out.value.text == first->last) {
        first->due = now.at + std::chrono::seconds(first->expires - now.unix_time);  // there is no better one: again when it is over
        continue;
      }
      first->last = out.value.text;
      expires_ = out.value.expires;
      under_way_ = *name;
      return out;
    } catch (std::exception const& e) {
      auto const* const known = dynamic_cast<std::system_error const*>(&e);
      std::error_code const code = known != nullptr ? known->code() : std::error_code(errc::access_denied);
      failed(*first, code != condition::retryable, code, e.what(), first_pause, now);
    }
  }
}

void token_book::failed(entry& e, bool hopeless, std::error_code code, std::string why, std::chrono::seconds at_least, moment now) {
  ++e.failures;
  auto const pause = std::min(longest_wait, first_pause * (1 << std::min(e.failures - 1, 5U)));
  e.due = now.at + std::max(at_least, pause);
  if (!hopeless || (e.held && now.unix_time < e.expires)) return;
  e.refused = refusal{code, std::move(why)};
  e.due.reset();
}

void token_book::answered(int status, std::string_view condition, std::string_view description, moment now) {
  auto const name = std::exchange(under_way_, std::nullopt);
  auto const found = name ? entries_.find(*name) : entries_.end();
  if (found == entries_.end()) return;  // nobody wants it by now
  entry& e = found->second;
  if (status / 100 == 2) {
    e.held = true;
    e.failures = 0;
    e.expires = expires_;
    auto const life = std::chrono::seconds(expires_ - now.unix_time);
    e.due = now.at + std::max<std::chrono::nanoseconds>(life, shortest_life) * 3 / 4;
    return;
  }
  auto const [does, code] = verdict_on(status, condition);
  // A key may have been changed just then, so that the first refusal is not the last word.
  bool const hopeless = does == reaction::give_up || (does == reaction::new_token && e.failures > 0);
  failed(e, hopeless, code, text_of_refusal(status, condition, description), does == reaction::later ? least_pause : first_pause, now);
}

void token_book::unanswered(moment now) {
  auto const name = std::exchange(under_way_, std::nullopt);
  auto const found = name ? entries_.find(*name) : entries_.end();
  if (found != entries_.end()) failed(found->second, false, errc::timed_out, "no answer", first_pause, now);
}

void token_book::lost(moment now) {
  under_way_.reset();
  for (auto& [name, e] : entries_) {
    e.held = false;
    if (!e.refused) e.due = now.at;
  }
}

std::optional<time_point> token_book::due() const {
  std::optional<time_point> out;
  if (under_way_) return out;
  for (auto const& [name, e] : entries_)
    if (e.due && (!out || *e.due < *out)) out = e.due;
  return out;
}

bool token_book::holds(std::string const& audience, std::int64_t unix_time) const {
  auto const found = entries_.find(audience);
  return found != entries_.end() && found->second.held && unix_time < found->second.expires;
}

std::optional<token_book::refusal> token_book::refused(std::string const& audience) const {
  auto const found = entries_.find(audience);
  return found == entries_.end() ? std::nullopt : found->second.refused;
}

}  // namespace weir::eventhubs::detail
