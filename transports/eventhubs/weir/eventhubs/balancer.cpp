#include <weir/eventhubs/balancer.hpp>

#include <weir/error.hpp>
#include <weir/eventhubs/partition_choice.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace weir::eventhubs {
namespace {

using write_kind = ownership_write_kind;
constexpr std::chrono::nanoseconds resolution = std::chrono::seconds(1);  // of the service's times

std::string taken_by(ownership const& row) { return row.owner.empty() ? "somebody has given it back" : "it was taken by " + row.owner; }

}  // namespace

balancer::balancer(std::string name, balancer_options options, std::uint64_t seed)
    : name_(std::move(name)), options_(options), dice_(seed) {
  auto const refuse = [](char const* why) { throw error(errc::invalid_option, "event hubs: cannot share partitions", why); };
  if (name_.empty()) refuse("the consumer has no name");
  if (options.interval.count() <= 0) refuse("the interval is not positive");
  if (options.expiry / 2 < options.interval) refuse("the expiry is less than two intervals: what is alive would be taken");
  if (options.most_partitions == 0) refuse("no partition may be held");
}

void balancer::know(std::vector<std::string> const& partitions) {
  for (std::string const& id : partitions) {
    auto const [at, is_new] = rows_.try_emplace(id);
    if (is_new) at->second.row.partition = id;
  }
}

// `within`, an eighth of it sooner at most.
balancer::time balancer::soon(time within) { return within - time(std::uniform_int_distribution<time::rep>(0, within.count() / 8)(dice_)); }

bool balancer::is_free(known const& k, time now) const noexcept {
  return k.as == role::none && !k.sent && now >= k.rests_until && (k.row.owner.empty() || now - k.changed >= options_.expiry);
}

bool balancer::holds(std::string const& partition, time now) const noexcept {
  auto const found = rows_.find(partition);
  return found != rows_.end() && found->second.as == role::holder && now - found->second.renewed < options_.expiry;
}

std::size_t balancer::held() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(rows_, [](auto const& r) { return r.second.as != role::none; }));
}

void balancer::saw(ownership_list const& found, time began, time now) {
  std::set<std::string_view> present;
  for (ownership const& row : found.all) {
    present.insert(row.partition);
    auto const at = rows_.find(row.partition);
    if (at == rows_.end()) continue;  // of a hub of that name before this one
    known& k = at->second;
    if (k.sent || k.written >= began) continue;  // the answer says more
    look_at(k, row, found.asked, now);
  }
  for (auto& [id, k] : rows_) {
    if (present.contains(id) || k.sent || k.written >= began || k.row.etag.empty()) continue;
    lose(k, "its blob is not there any more");
    k.row = {};
    k.row.partition = id;
  }
  plan(now);
  next_look_ = now + soon(options_.interval);
}

void balancer::look_at(known& k, ownership const& row, instant asked, time now) {
  if (row.etag == k.row.etag) return;
  time const age = asked == 0 || row.modified == 0 ? time() : time(asked - row.modified) - resolution;
  k.row = row;
  k.changed = now - std::max(age, time());
  if (k.as != role::none && row.owner != name_) lose(k, taken_by(row));
}

// What has our name and is not held: it could not be renewed, or was claimed by a write of which nobody heard. Others leave it to us.
void balancer::settle(known& k, time now) {
  if (k.as != role::none || k.sent || k.row.owner != name_) return;
  k.wanted = !ending_ && now >= k.rests_until && held() < options_.most_partitions;
  if (k.wanted) return;
  k.as = role::leaving;
  k.renewed = now;
  k.next_write = now;
}

void balancer::plan(time now) {
  std::vector<partition_sight> all;
  for (auto& [id, k] : rows_) {
    k.wanted = false;
    settle(k, now);
    bool const free = !k.wanted && is_free(k, now);
    bool const ours = k.wanted || k.as == role::holder || (k.sent && k.as == role::none);
    bool const theirs = k.as == role::none && !k.sent && !free && now - k.changed < options_.expiry;
    all.emplace_back(id, ours ? name_ : theirs ? k.row.owner : std::string(), free);
  }
  if (ending_) return;
  for (std::string const& id : choose_partitions(name_, all, options_, dice_)) rows_.at(id).wanted = true;
}

std::vector<ownership_write> balancer::due(time now) {
  std::vector<ownership_write> out;
  for (auto& [id, k] : rows_) {
    if (k.as != role::none && now - k.renewed >= options_.expiry) lose(k, "it could not be renewed in time");
    if (k.sent || (k.as == role::none ? !k.wanted : now < k.next_write)) continue;
    write_kind const what = k.as == role::none ? write_kind::claim : k.as == role::holder ? write_kind::renew : write_kind::give_back;
    k.sent = now;
    k.wanted = false;
    out.emplace_back(what, k.row, name_);
  }
  return out;
}

// What was sent then was done.
void balancer::keep(known& k, time sent) {
  k.renewed = sent;
  k.next_write = sent + soon(options_.interval);
}

void balancer::gain(known& k, time sent) {
  keep(k, sent);
  k.as = ending_ ? role::leaving : role::holder;
  if (ending_) k.next_write = time::min();
  else events_.emplace_back(balance_event::kind::gained, k.row.partition);
}

void balancer::lose(known& k, std::string why) {
  if (k.as == role::holder) events_.emplace_back(balance_event::kind::lost, k.row.partition, std::move(why));
  k.as = role::none;
}

void balancer::done(ownership_write const& w, std::string etag, time now) {
  known& k = rows_.at(w.before.partition);
  time const sent = std::exchange(k.sent, std::nullopt).value_or(now);
  k.written = now;
  k.changed = now;
  k.lost_since.reset();
  k.row.owner = w.owner();
  k.row.etag = std::move(etag);
  if (w.what == write_kind::claim) gain(k, sent);
  else if (w.what == write_kind::give_back || k.as == role::none) k.as = role::none;
  else if (k.as == role::holder) keep(k, sent);
  else k.renewed = sent;
}

void balancer::refused(ownership_write const& w, std::optional<ownership> stored, time now) {
  known& k = rows_.at(w.before.partition);
  time const sent = std::exchange(k.sent, std::nullopt).value_or(now);
  k.written = now;
  k.changed = now;
  std::string const id = k.row.partition;
  bool const there = stored.has_value();
  k.row = stored ? *std::move(stored) : ownership();
  k.row.partition = id;
  time const first = std::exchange(k.lost_since, std::nullopt).value_or(sent);
  if (k.row.owner == name_) {  // a write of ours was done whose answer was lost
    if (w.what == write_kind::claim) gain(k, first);
    else if (k.as == role::holder) keep(k, first);
    return;
  }
  lose(k, there ? taken_by(k.row) : "its blob is not there any more");
}

void balancer::unknown(ownership_write const& w, time now) {
  known& k = rows_.at(w.before.partition);
  time const sent = std::exchange(k.sent, std::nullopt).value_or(now);
  if (!k.lost_since) k.lost_since = sent;
  k.next_write = now + options_.interval / 4;
  if (w.what == write_kind::claim) next_look_ = std::min(next_look_, now + options_.interval / 4);
}

std::vector<balance_event> balancer::take_events() { return std::exchange(events_, {}); }

balancer::time balancer::next_due() const noexcept {
  time out = time::max();
  for (auto const& [id, k] : rows_) {
    if (k.as != role::none) out = std::min(out, k.renewed + options_.expiry);
    if (k.sent) continue;
    if (k.as != role::none) out = std::min(out, k.next_write);
    else if (k.wanted) out = time::min();
  }
  return out;
}

void balancer::let_go(std::string const& partition, time rests_until) {
  auto const found = rows_.find(partition);
  if (found == rows_.end() || found->second.as != role::holder) return;
  found->second.as = role::leaving;
  found->second.next_write = time::min();
  found->second.rests_until = rests_until;
}

void balancer::end() noexcept {
  ending_ = true;
  for (auto& [id, k] : rows_) k.wanted = false;
}

}  // namespace weir::eventhubs
