#include <weir/kinesis/lease_worker.hpp>

#include <weir/error.hpp>
#include <weir/kinesis/lease_balance.hpp>

#include <algorithm>
#include <utility>

namespace weir::kinesis {
namespace {

using kind = lease_write_kind;
constexpr std::chrono::nanoseconds before_third = std::chrono::milliseconds(25);  // KCL's
constexpr unsigned tries_in_a_renewal = 4;

bool is_as_made_by(lease const& stored, lease_write const& w) {
  lease const after = w.after();
  return stored.counter == after.counter && stored.owner == after.owner && stored.checkpoint_owner == after.checkpoint_owner &&
         stored.checkpoint == after.checkpoint;
}

}  // namespace

lease_worker::lease_worker(std::string name, lease_options options, std::uint64_t seed)
    : name_(std::move(name)),
      options_(options),
      renew_every_(std::max(options.failover / 3 - before_third, options.failover / 10)),
      look_every_(options.failover / 4),
      dice_(seed) {
  auto const refuse = [](char const* why) { throw error(weir::errc::invalid_option, "kinesis: cannot share leases", why); };
  if (name_.empty()) refuse("the worker has no name");
  if (options.failover.count() <= 0) refuse("the time of failover is not positive");
  if (options.handoff.count() < 0) refuse("the time to hand over is negative");
  if (options.most_leases == 0) refuse("no lease may be held");
  if (options.most_stolen == 0) refuse("no lease may be stolen");
}

bool lease_worker::free(known const& k, time now) const noexcept { return k.row.owner.empty() || now - k.changed >= options_.failover; }

bool lease_worker::is_of_another(known const& k) const noexcept {
  return k.as != role::holder && k.as != role::finisher && !k.row.owner.empty() && !k.row.checkpoint.ended();
}

bool lease_worker::is_waiting(lease const& l) const noexcept {
  return l.owner == name_ && !l.checkpoint_owner.empty() && l.checkpoint_owner != name_;
}

bool lease_worker::holds(std::string const& key, time now) const noexcept {
  auto const found = rows_.find(key);
  if (found == rows_.end()) return false;
  known const& k = found->second;
  if (k.leaving || now - k.renewed >= options_.failover) return false;
  return k.as == role::holder || (k.as == role::finisher && now < k.finish_by);
}

std::size_t lease_worker::held() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows_, [](auto const& r) { return r.second.as == role::holder || r.second.as == role::finisher; }));
}

void lease_worker::saw(std::vector<lease> rows, time began, time now) {
  std::set<std::string> present;
  for (lease& row : rows) {
    present.insert(row.key);
    auto const [at, is_new] = rows_.try_emplace(row.key);
    known& k = at->second;
    if (is_new) {
      k.row = std::move(row);
      k.changed = now;
      if (is_waiting(k.row)) {
        k.as = role::waiting;
        k.waiting_since = now;
      }
      continue;
    }
    if (!k.sent) look_at(k, std::move(row), began, now);  // else its answer says more
  }
  for (auto at = rows_.begin(); at != rows_.end();) {
    bool const gone = !present.contains(at->first) && !at->second.sent && at->second.written < began;
    if (gone && (at->second.as == role::holder || at->second.as == role::finisher))
      lose(at->second, "its row is not in the table any more");
    at = gone ? rows_.erase(at) : std::next(at);
  }
  plan(now);
  next_look_ = now + look_every_;
  for (auto const& [key, k] : rows_)  // what runs out before that is taken then
    if (is_of_another(k) && !free(k, now)) next_look_ = std::min(next_look_, k.changed + options_.failover);
}

// A row as a scan found it.
void lease_worker::look_at(known& k, lease row, time began, time now) {
  if (k.written >= began) return;  // what we have written since may not be in it
  if (row.counter == k.row.counter && row.owner == k.row.owner && row.checkpoint_owner == k.row.checkpoint_owner) {
    k.row = std::move(row);
    return;
  }
  if (k.lost_since && adopt(k, row, *k.lost_since, now)) return;
  meet(k, std::move(row), now);
}

// Which leases are to be taken. Those that are ours by the table, and that we do not hold, are taken anyway: somebody gave them to us, or
// an answer was lost.
void lease_worker::plan(time now) {
  std::vector<lease_sight> sights;
  for (auto& [key, k] : rows_) {
    k.wanted.reset();
    if (k.row.checkpoint.ended() || (k.as == role::none && now < k.rests_until)) continue;
    bool const ours = k.row.owner == name_;
    bool const waits_in_vain = k.as == role::waiting && free(k, now);
    bool const nobody_finishes = k.row.checkpoint_owner.empty() || k.row.checkpoint_owner == name_;
    if (ours && !k.sent && ((k.as == role::none && nobody_finishes) || waits_in_vain)) k.wanted = kind::take;
    std::string holder = k.row.owner;
    if (k.as == role::none && k.sent) holder = name_;  // it is being taken
    else if (!ours && k.as == role::none && free(k, now)) holder.clear();
    sights.emplace_back(&k.row, std::move(holder));
  }
  if (ending_) {
    for (auto& [key, k] : rows_) k.wanted.reset();
    return;
  }
  lease_choice const choice = choose_leases(name_, sights, options_, dice_);
  for (lease const* l : choice.take) rows_.at(l->key).wanted = kind::take;
  for (lease const* l : choice.steal) rows_.at(l->key).wanted = options_.handoff.count() > 0 ? kind::ask_for : kind::take;
}

std::vector<lease_write> lease_worker::due(time now) {
  std::vector<lease_write> out;
  for (auto& [key, k] : rows_) {
    if ((k.as == role::holder || k.as == role::finisher) && now - k.renewed >= options_.failover)
      lose(k, "it could not be renewed within the time of failover");
    if (k.as == role::finisher && now >= k.finish_by) lose(k, "it was not handed over in time");
    if (k.sent) continue;
    auto write = next_write(k, now);
    if (!write) continue;
    k.sent = now;
    out.push_back(*std::move(write));
  }
  return out;
}

std::optional<lease_write> lease_worker::next_write(known& k, time now) {
  auto const wanted = std::exchange(k.wanted, std::nullopt);
  if (k.as == role::holder || k.as == role::finisher) return next_of_holder(k, now);
  if (k.as == role::waiting && now - k.waiting_since >= options_.handoff) return lease_write(kind::evict, k.row, name_);
  if (wanted) return lease_write(*wanted, k.row, name_);
  return std::nullopt;
}

std::optional<lease_write> lease_worker::next_of_holder(known& k, time now) {
  if (now < k.next_renewal && k.lost_since) return std::nullopt;  // not again at once
  if (k.to_write) return lease_write::checkpoint(k.row, name_, *k.to_write, k.children);
  if (k.leaving) return lease_write(k.as == role::finisher ? kind::hand_over : kind::let_go, k.row, name_);
  if (now >= k.next_renewal) return lease_write(kind::renew, k.row, name_);
  return std::nullopt;
}

void lease_worker::done(lease_write const& w, time now) {
  auto const found = rows_.find(w.key());
  if (found == rows_.end() || !found->second.sent) return;
  known& k = found->second;
  time const sent = *std::exchange(k.sent, std::nullopt);
  k.written = now;
  k.lost_since.reset();
  settle(k, w, sent, now);
}

// The write has been done, not before `sent`.
void lease_worker::settle(known& k, lease_write const& w, time sent, time now) {
  k.row = w.after();
  k.changed = now;
  bool const holds = k.as == role::holder || k.as == role::finisher;
  switch (w.what()) {
    case kind::take:
    case kind::evict: return begin(k, sent, now);
    case kind::ask_for:
      k.as = role::waiting;
      k.waiting_since = now;
      return;
    case kind::hand_over:
    case kind::let_go:
      k.as = role::none;
      k.leaving = false;
      return;
    default: break;
  }
  if (!holds) return;  // too late, and only an answer to what is lost
  k.renewed = sent;
  k.next_renewal = sent + renew_every_;
  if (w.what() != kind::checkpoint) return;
  if (k.to_write == w.to()) k.to_write.reset();
  events_.emplace_back(w.to().ended() ? lease_event_kind::ended : lease_event_kind::checkpointed, k.row);
  if (w.to().ended()) k.as = role::none;
}

void lease_worker::begin(known& k, time sent, time now) {
  k.as = role::none;
  if (now - sent >= options_.failover) return;  // others may take it already
  k.as = role::holder;
  k.renewed = sent;
  k.next_renewal = sent + renew_every_;
  k.leaving = false;
  k.wanted.reset();
  k.to_write.reset();
  k.children.clear();
  events_.emplace_back(lease_event_kind::gained, k.row);
}

void lease_worker::refused(lease_write const& w, std::optional<lease> stored, time now) {
  auto const found = rows_.find(w.key());
  if (found == rows_.end() || !found->second.sent) return;
  known& k = found->second;
  time const sent = *std::exchange(k.sent, std::nullopt), first = std::exchange(k.lost_since, std::nullopt).value_or(sent);
  k.written = now;
  if (!stored) {
    lose(k, "its row is not in the table any more");
    rows_.erase(found);
    return;
  }
  if (w.what() == kind::take || w.what() == kind::evict) {
    // The row may say that we own it: since an answer was lost, or since it was handed over, and that may be long ago. Others have seen it
    // for as long, so only another write says that we are there.
    meet(k, *std::move(stored), now);
    next_look_ = std::min(next_look_, now + renew_every_ / tries_in_a_renewal);  // another was faster, and may have left others
    if (!ending_ && now >= k.rests_until && k.row.owner == name_ && k.row.checkpoint_owner.empty()) k.wanted = kind::take;
    return;
  }
  if (is_as_made_by(*stored, w)) return settle(k, w, first, now);  // a write whose answer was lost was this one
  if (adopt(k, *stored, first, now)) return;
  meet(k, *std::move(stored), now);
}

// A renewal, or a checkpoint, whose answer was lost, and that was sent then or later, has made the row what it is: what we hold is still
// ours.
bool lease_worker::adopt(known& k, lease const& stored, time first_sent, time now) {
  bool const holds = k.as == role::holder || k.as == role::finisher;
  bool const ours = stored.owner == k.row.owner && stored.checkpoint_owner == k.row.checkpoint_owner;
  if (!holds || !ours || stored.counter != k.row.counter + 1) return false;
  k.row = stored;
  k.changed = now;
  k.renewed = std::max(k.renewed, first_sent);
  k.next_renewal = now;
  k.lost_since.reset();
  return true;
}

// Somebody else has written the row.
void lease_worker::meet(known& k, lease stored, time now) {
  bool const held = k.as == role::holder;
  bool const asked = held && stored.checkpoint_owner == name_ && stored.owner != name_;
  k.changed = now;
  std::string const by = stored.owner.empty() ? "given to nobody" : "taken by " + stored.owner;
  bool const waits = is_waiting(stored);
  k.row = std::move(stored);
  if (asked) {
    k.as = role::finisher;
    k.finish_by = k.renewed + options_.handoff;  // it was asked for after that
    k.next_renewal = now;
    events_.emplace_back(lease_event_kind::asked_for, k.row);
    return;
  }
  if (held || k.as == role::finisher) lose(k, "it was " + by);
  if (waits && k.as != role::waiting) k.waiting_since = now;
  k.as = waits ? role::waiting : role::none;
}

void lease_worker::unknown(lease_write const& w, time now) {
  auto const found = rows_.find(w.key());
  if (found == rows_.end() || !found->second.sent) return;
  known& k = found->second;
  time const sent = *std::exchange(k.sent, std::nullopt);
  if (!k.lost_since) k.lost_since = sent;
  k.written = now;  // it may still be done after this
  if (k.as == role::holder || k.as == role::finisher) {
    k.next_renewal = now + renew_every_ / tries_in_a_renewal;
    return;
  }
  k.lost_since.reset();  // the next look at the table says whose it is
  if (k.as == role::waiting) k.waiting_since = now + renew_every_ / tries_in_a_renewal - options_.handoff;
  next_look_ = std::min(next_look_, now + renew_every_ / tries_in_a_renewal);
}

void lease_worker::lose(known& k, std::string why) {
  bool const held = k.as == role::holder || k.as == role::finisher;
  k.as = role::none;
  k.to_write.reset();
  k.children.clear();
  k.leaving = false;
  k.lost_since.reset();
  if (held) events_.emplace_back(lease_event_kind::lost, k.row, std::move(why));
}

std::vector<lease_event> lease_worker::take_events() { return std::exchange(events_, {}); }

lease_worker::time lease_worker::look_due() const noexcept { return next_look_; }

lease_worker::time lease_worker::next_due() const noexcept {
  time out = time::max();
  for (auto const& [key, k] : rows_) {
    bool const holds = k.as == role::holder || k.as == role::finisher;
    if (holds) out = std::min(out, k.renewed + options_.failover);
    if (k.as == role::finisher) out = std::min(out, k.finish_by);
    if (k.sent) continue;
    if (holds) out = std::min(out, (k.to_write || k.leaving) && !k.lost_since ? time() : k.next_renewal);
    if (k.as == role::waiting) out = std::min(out, k.waiting_since + options_.handoff);
    if (k.wanted) out = time();
  }
  return out;
}

lease_worker::answer lease_worker::checkpoint(std::string const& key, lease_checkpoint to, std::set<std::string> children) {
  auto const found = rows_.find(key);
  if (found == rows_.end()) return answer::not_held;
  known& k = found->second;
  if ((k.as != role::holder && k.as != role::finisher) || k.leaving) return answer::not_held;
  if (to < k.to_write.value_or(k.row.checkpoint)) return answer::backwards;
  k.to_write = std::move(to);
  k.children = std::move(children);
  return answer::queued;
}

void lease_worker::hand_over(std::string const& key) {
  auto const found = rows_.find(key);
  if (found != rows_.end() && found->second.as == role::finisher) found->second.leaving = true;
}

void lease_worker::let_go(std::string const& key, time rests_until) {
  auto const found = rows_.find(key);
  if (found == rows_.end() || (found->second.as != role::holder && found->second.as != role::finisher)) return;
  found->second.leaving = true;
  found->second.rests_until = rests_until;
}

void lease_worker::end() noexcept {
  ending_ = true;
  for (auto& [key, k] : rows_) k.wanted.reset();
}

bool lease_worker::renews(std::string const& key, time now) const noexcept {
  auto const found = rows_.find(key);
  if (found == rows_.end() || found->second.sent) return false;
  known const& k = found->second;
  return (k.as == role::holder || k.as == role::finisher) && now >= k.next_renewal;
}

}  // namespace weir::kinesis
