#include <weir/checkpoint_history.hpp>

#include <weir/error.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>

namespace weir {
namespace {

using namespace std::chrono_literals;

// Up to this age one is kept of each span of time.
struct keeping {
  std::chrono::nanoseconds age, one_in;
};
constexpr std::array<keeping, 3> rules{{{1h, 1min}, {48h, 1h}, {31 * 24h, 24h}}};

// Null: too old for any.
keeping const* rule_for(std::chrono::nanoseconds age) noexcept {
  auto const r = std::ranges::find_if(rules, [age](keeping const& k) { return age <= k.age; });
  return r == rules.end() ? nullptr : &*r;
}

std::string name_of(past_checkpoint const& p) { return format_rfc3339(p.written_at, 3); }
std::vector<std::byte> bytes_of(past_checkpoint const& p) {
  std::string const text = p.position.text();
  auto const bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

past_checkpoint read(state_entry const& e) {
  auto const when = parse_rfc3339(e.key);
  auto const at = position::parse(std::string_view(reinterpret_cast<char const*>(e.value.data()), e.value.size()));
  if (!when || !at)
    throw error(errc::corrupt, "checkpoint: cannot restore", "what it says of where it stood at \"" + e.key + "\" cannot be read");
  return {*when, *at};
}

}  // namespace

void checkpoint_history::load(std::vector<state_entry>& entries) {
  all_.clear();
  auto const [first, last] = std::ranges::equal_range(entries, history_id, {}, &state_entry::operator_id);
  std::transform(first, last, std::back_inserter(all_), read);
  entries.erase(first, last);
}

template <class Keeps> void checkpoint_history::keep(Keeps keeps, std::vector<state_change>& changes) {
  std::vector<past_checkpoint> kept;
  for (past_checkpoint const& p : all_) {
    if (keeps(p, kept)) kept.push_back(p);
    else changes.push_back(state_change::erase(std::string(history_id), name_of(p)));
  }
  all_ = std::move(kept);
}

// Of each span the oldest stays: it is the one that stayed while the span was shorter.
void checkpoint_history::replaced(past_checkpoint const& p, instant now, std::vector<state_change>& changes) {
  if (!all_.empty() && std::chrono::nanoseconds(p.written_at - all_.back().written_at) < 1min) return;
  all_.push_back(p);
  changes.push_back(state_change::put(std::string(history_id), name_of(p), bytes_of(p)));
  auto const thinned = [now](past_checkpoint const& one, std::vector<past_checkpoint> const& kept) {
    keeping const* const rule = rule_for(std::chrono::nanoseconds(now - one.written_at));
    auto const span_of = [rule](past_checkpoint const& c) { return c.written_at / rule->one_in.count(); };
    return rule && (kept.empty() || span_of(kept.back()) != span_of(one));
  };
  keep(thinned, changes);
}

void checkpoint_history::set_back(position const& at, std::vector<state_change>& changes) {
  keep([&at](past_checkpoint const& one, std::vector<past_checkpoint> const&) { return one.position <= at; }, changes);
}

}  // namespace weir
