#include <weir/kinesis/detail/leased_shards.hpp>

#include <weir/kinesis/detail/lease_position.hpp>

#include <algorithm>

namespace weir::kinesis::detail {

void leased_shards::happened(lease_event const& e) {
  shard& s = all_[e.of.key];
  switch (e.what) {
    case lease_event_kind::gained: return gained(s, e.of);
    case lease_event_kind::asked_for: return asked_for(s);
    case lease_event_kind::checkpointed: s.row.checkpoint = e.of.checkpoint; return;
    case lease_event_kind::ended:
      s.held = false;
      not_ended_.erase(e.of.key);
      return;
    case lease_event_kind::lost: return lost(s);
  }
}

void leased_shards::gained(shard& s, lease const& l) {
  s.row = l;
  ++s.run;
  s.held = true;
  s.asked = s.finishing = false;
  s.waits = true;
  if (draining_ || l.checkpoint.ended()) let_go(s);  // whoever was to hand it over has finished it
}

void leased_shards::lost(shard& s) {
  if (!s.held) return;
  bool const read = s.open && s.reading_run == s.run;
  ++s.run;
  s.held = s.waits = false;
  if (read) assignments_.emplace_back(assignment_kind::lost, s.row.key);
}

void leased_shards::asked_for(shard& s) {
  if (!s.held) return;
  s.asked = true;
  if (s.open && s.reading_run == s.run) assignments_.emplace_back(assignment_kind::revoked, s.row.key);
  else if (!s.beginning && !s.finishing) let_go(s);
}

// It is ours until that is in the table, but there is nothing more to do with it.
void leased_shards::let_go(shard& s) {
  worker_.let_go(s.row.key);
  s.held = s.waits = false;
}

void leased_shards::rest(shard& s, std::optional<position> const& at, time now) {
  constexpr time longest = std::chrono::minutes(5);
  if (at != s.halted_at) s.halts = 0;
  s.halted_at = at;
  time const pause = std::clamp<time>(failover_ * (std::int64_t{1} << std::min(s.halts++, 10U)), failover_, std::max(failover_, longest));
  resting_.emplace_back(s.row.key, pause);
  worker_.let_go(s.row.key, now + pause);
  s.held = s.waits = false;
}

void leased_shards::saw(std::span<lease const> all) {
  not_ended_.clear();
  for (lease const& l : all)
    if (!l.checkpoint.ended()) not_ended_.insert(l.key);
  std::erase_if(all_, [&](auto const& one) {
    shard const& s = one.second;
    return !s.held && !s.open && !s.beginning && !not_ended_.contains(one.first);
  });
}

bool leased_shards::may_begin(shard const& s) const {
  if (!s.held || !s.waits || s.open || s.beginning) return false;
  return std::ranges::none_of(s.row.parents, [&](std::string const& p) { return not_ended_.contains(p); });
}

std::vector<leased_shards::start> leased_shards::take_ready() {
  std::vector<start> out;
  for (auto& [id, s] : all_) {
    if (!may_begin(s)) continue;
    s.waits = false;
    s.beginning = true;
    out.emplace_back(s.row, s.run);
  }
  return out;
}

void leased_shards::begun(start const& s) {
  shard& one = all_[s.of.key];
  one.beginning = false;
  if (!one.held || one.run != s.run) return;
  if (draining_ || one.asked) return let_go(one);
  one.open = true;
  one.reading_run = one.run;
  assignments_.emplace_back(assignment_kind::assigned, s.of.key);
}

void leased_shards::could_not_begin(start const& s, time now) {
  shard& one = all_[s.of.key];
  one.beginning = false;
  if (!one.held || one.run != s.run) return;
  if (draining_ || one.asked) let_go(one);
  else rest(one, std::nullopt, now);
}

bool leased_shards::wants(start const& s) const {
  auto const found = all_.find(s.of.key);
  if (found == all_.end() || draining_) return false;
  return found->second.held && found->second.run == s.run && !found->second.asked;
}

void leased_shards::vanished(start const& s) {
  shard& one = all_[s.of.key];
  one.beginning = false;
  if (!one.held || one.run != s.run) return;
  one.finishing = true;
  finished_.emplace_back(s.of.key, s.run);
}

void leased_shards::ended(std::string const& id, partition_end how, std::optional<position> const& reached, time now) {
  shard& s = all_[id];
  s.open = false;
  if (!s.held || s.run != s.reading_run) return;
  if (how == partition_end::finished) {
    s.finishing = true;
    finished_.emplace_back(id, s.run);
    return;
  }
  if (reached) worker_.checkpoint(id, checkpoint_at(*reached));
  if (s.asked || draining_) let_go(s);
  else rest(s, reached, now);
}

void leased_shards::finish(finished_shard const& s, std::set<std::string> children) {
  shard& one = all_[s.id];
  if (!one.held || one.run != s.run) return;
  worker_.checkpoint(s.id, lease_checkpoint::shard_end(), std::move(children));
}

void leased_shards::drain() {
  if (std::exchange(draining_, true)) return;
  worker_.end();
  for (auto& [id, s] : all_)
    if (s.held && !s.open && !s.beginning && !s.finishing) let_go(s);
}

void leased_shards::nobody_reads() {
  for (auto& [id, s] : all_) {
    if (!std::exchange(s.open, false)) continue;
    if (s.held && s.run == s.reading_run) let_go(s);
  }
}

std::vector<std::string> leased_shards::renewed(time now) const {
  std::vector<std::string> out;
  for (auto const& [id, s] : all_)
    if (s.held && s.open && s.run == s.reading_run && worker_.renews(id, now)) out.push_back(id);
  return out;
}

void leased_shards::reached(std::string const& id, position const& p) {
  lease_checkpoint at = checkpoint_at(p);
  if (all_[id].row.checkpoint < at && !at.ended()) worker_.checkpoint(id, std::move(at));
}

}  // namespace weir::kinesis::detail
