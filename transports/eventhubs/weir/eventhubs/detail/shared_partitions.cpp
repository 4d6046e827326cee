#include <weir/eventhubs/detail/shared_partitions.hpp>

#include <algorithm>

namespace weir::eventhubs::detail {

void shared_partitions::gained(std::string const& id) {
  one& p = all_[id];
  ++p.run;
  p.held = p.waits = true;
  p.leaving = false;
  if (draining_) let_go(id, p);
}

void shared_partitions::lost(std::string const& id) {
  one& p = all_[id];
  if (!p.held) return;
  bool const read = p.open && p.reading_run == p.run;
  ++p.run;
  p.held = p.waits = p.leaving = false;
  if (read) assignments_.emplace_back(assignment_kind::lost, id);
}

bool shared_partitions::stolen(std::string const& id, std::optional<position> const& reached, time now) {
  one& p = all_[id];
  if (!p.held || !p.open || p.reading_run != p.run) return false;
  time const pause = pause_of(p, reached);
  ++p.run;
  assignments_.emplace_back(assignment_kind::lost, id);
  let_go(id, p, now + pause, pause);
  return true;
}

void shared_partitions::let_go(std::string const& id, one& p, time rests_until, time pause) {
  p.held = p.waits = p.leaving = false;
  releases_.emplace_back(id, rests_until, pause);
}

shared_partitions::time shared_partitions::pause_of(one& p, std::optional<position> const& at) const {
  constexpr time longest = std::chrono::minutes(5);
  if (at != p.halted_at) p.halts = 0;
  p.halted_at = at;
  return std::clamp<time>(interval_ * (std::int64_t{1} << std::min(p.halts++, 10U)), interval_, std::max(interval_, longest));
}

std::vector<shared_partitions::turn> shared_partitions::take_ready() {
  std::vector<turn> out;
  for (auto& [id, p] : all_) {
    if (!p.held || !p.waits || p.open || p.beginning) continue;
    p.waits = false;
    p.beginning = true;
    out.emplace_back(id, p.run);
  }
  return out;
}

void shared_partitions::begun(turn const& t) {
  one& p = all_[t.partition];
  p.beginning = false;
  if (!p.held || p.run != t.run) return;
  if (draining_) return let_go(t.partition, p);
  p.open = true;
  p.reading_run = p.run;
  assignments_.emplace_back(assignment_kind::assigned, t.partition);
}

void shared_partitions::could_not_begin(turn const& t, time now) {
  one& p = all_[t.partition];
  p.beginning = false;
  if (!p.held || p.run != t.run) return;
  if (draining_) return let_go(t.partition, p);
  time const pause = pause_of(p, std::nullopt);
  let_go(t.partition, p, now + pause, pause);
}

bool shared_partitions::wants(turn const& t) const { return !draining_ && holds(t); }

bool shared_partitions::holds(turn const& t) const {
  auto const found = all_.find(t.partition);
  return found != all_.end() && found->second.held && found->second.run == t.run;
}

void shared_partitions::ended(std::string const& id, std::optional<position> const& reached, time now) {
  one& p = all_[id];
  p.open = false;
  if (!p.held || p.run != p.reading_run) return;
  p.leaving = true;
  time const pause = draining_ ? time() : pause_of(p, reached);
  leaving_.emplace_back(id, p.run, draining_ ? time() : now + pause);
}

void shared_partitions::left(turn const& t, time now) {
  one& p = all_[t.partition];
  if (!holds(t)) return;
  bool const rests = !draining_ && t.rests_until > now;
  let_go(t.partition, p, t.rests_until, rests ? t.rests_until - now : time());
}

void shared_partitions::drain() {
  if (std::exchange(draining_, true)) return;
  for (auto& [id, p] : all_)
    if (p.held && !p.open && !p.beginning && !p.leaving) let_go(id, p);
}

void shared_partitions::nobody_reads() {
  for (auto& [id, p] : all_) {
    if (!std::exchange(p.open, false)) continue;
    if (p.held && p.run == p.reading_run) let_go(id, p);
  }
}

std::vector<std::string> shared_partitions::reading() const {
  std::vector<std::string> out;
  for (auto const& [id, p] : all_)
    if (p.held && p.open && p.run == p.reading_run) out.push_back(id);
  return out;
}

}  // namespace weir::eventhubs::detail
