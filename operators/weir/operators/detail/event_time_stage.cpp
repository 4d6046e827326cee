#include <weir/error.hpp>
#include <weir/operators/detail/event_time_stage.hpp>
#include <weir/operators/detail/state_errors.hpp>
#include <weir/operators/time_fault.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>
#include <string>

namespace weir {

std::string_view to_string(time_fault fault) noexcept {
  switch (fault) {
    case time_fault::missing: return "has no event time";
    case time_fault::out_of_range: return "has an event time outside the years 1777 to 2162";
    case time_fault::too_far_ahead: return "has an event time too far ahead of the clock";
  }
  return "";
}

namespace detail {

void throw_bad_time(time_fault fault, instant at, event_time_rules const& rules, instant now) {
  std::string why("it ");
  why += to_string(fault);
  if (fault != time_fault::missing) why += ": " + format_rfc3339(at);
  if (fault == time_fault::too_far_ahead)
    why += " is more than " + std::to_string(rules.max_ahead.count()) + " ns ahead of " + format_rfc3339(now);
  error e(errc::out_of_range, "event_time: cannot place an element in time", std::move(why),
          fault == time_fault::too_far_ahead ? "raise max_ahead, or set such elements aside with bad_times_to(f)"
                                             : "set such elements aside with bad_times_to(f)");
  if (!rules.partition.empty()) e.with_partition(rules.partition);
  throw e;
}

void event_clock::enter(context& c) noexcept { clock_ = &c.clock(); }

bool event_clock::plausible(instant at) noexcept {
  if (at < earliest_event || at > latest_event) return false;
  if (!clock_) return true;
  ceiling_ = std::min(latest_event, later_by(clock_->now(), rules_.max_ahead));
  return at <= ceiling_;
}

bool event_clock::leap(instant at) noexcept {
  if (!ahead_) {
    ahead_ = at;
    noted_ = true;
    return false;
  }
  instant const believed = std::min(*ahead_, at);
  ahead_ = std::max(*ahead_, at);
  believe(believed);
  if (*ahead_ <= next_step_) ahead_.reset();
  return true;
}

void event_clock::forget_notes(instant at) noexcept {
  quiet_.reset();
  if (at <= next_step_) ahead_.reset();
  noted_ = ahead_.has_value();
}

bool event_clock::quiet_for(std::chrono::nanoseconds quiet) noexcept {
  quiet_ = quiet;
  noted_ = true;
  if (clock_) quiet_since_ = clock_->now() - quiet.count();
  if (rules_.when_quiet == quiet_time::stands || newest_ == start_of_time) return false;
  instant const by_now = std::min(latest_event, later_by(newest_, quiet));
  if (by_now <= highest_) return false;
  highest_ = by_now;
  next_step_ = later_by(by_now, rules_.max_step);
  return true;
}

void event_clock::explain(explanation& e, instant watermark) const {
  partition_time p;
  p.name = rules_.partition;
  p.watermark = watermark;
  p.highest = highest_;
  if (watermark == end_of_time) {
    p.state = partition_state::ended;
  } else if (quiet_) {
    p.state = idle() ? partition_state::idle : partition_state::quiet;
    p.since = quiet_since_;
  }
  e.partitions.push_back(std::move(p));
}

void event_clock::save(std::vector<std::byte>& to) const {
  encode_state(highest_, to);
  encode_state(newest_, to);
  encode_state(ahead_.value_or(start_of_time), to);
}

void event_clock::restore(std::span<std::byte const>& from) {
  highest_ = decode_part<instant>(from);
  newest_ = decode_part<instant>(from);
  auto const ahead = decode_part<instant>(from);
  for (instant const t : {highest_, newest_, ahead})
    if (t != start_of_time && (t < earliest_event || t > latest_event))
      throw_damaged_state("event_time", "it has an impossible event time");
  ahead_ = ahead == start_of_time ? std::optional<instant>() : ahead;
  noted_ = ahead_.has_value();
  next_step_ = highest_ == start_of_time ? end_of_time : later_by(highest_, rules_.max_step);
}

void event_clock::join(event_clock const& o) noexcept {
  highest_ = std::max(highest_, o.highest_);
  newest_ = std::max(newest_, o.newest_);
  next_step_ = highest_ == start_of_time ? end_of_time : later_by(highest_, rules_.max_step);
  if (o.ahead_ && (!ahead_ || *ahead_ < *o.ahead_)) ahead_ = o.ahead_;
  if (ahead_ && *ahead_ <= next_step_) ahead_.reset();
  noted_ = ahead_.has_value();
}

}  // namespace detail
}  // namespace weir
