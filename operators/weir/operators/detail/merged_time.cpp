#include <weir/operators/detail/merged_time.hpp>

#include <weir/codec.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace weir::detail {
namespace {

constexpr std::string_view kind = "merge", schema = "merge; watermarks";

}  // namespace

bool merged_time::about_time(std::span<mark const> marks) noexcept {
  return std::all_of(marks.begin(), marks.end(),
                     [](mark const& m) { return m.kind != mark_kind::barrier && m.kind != mark_kind::restore; });
}

void merged_time::take_in(std::size_t input, std::span<mark const> marks) noexcept {
  merged_time::input& in = inputs_[input];
  stirred_ = true;
  for (mark const& m : marks) {
    if (m.kind == mark_kind::watermark) advance(in, m.time);
    else if (m.kind == mark_kind::idle) rest(in, std::chrono::nanoseconds(m.time));
    else if (m.kind == mark_kind::stop) stop(in);
  }
}

void merged_time::waits(std::size_t input, bool with_elements) noexcept {
  merged_time::input& in = inputs_[input];
  in.at = turn::waits;
  in.since = now();
  in.has_elements = with_elements;
}

std::vector<mark>& merged_time::hand_on(std::size_t input, std::size_t elements, std::span<mark const> marks) {
  merged_time::input& in = inputs_[input];
  out_.clear();
  if (stirred_) settle_at(0);
  in.at = turn::handed_on;
  if (std::exchange(in.has_elements, false)) in.idle = false;
  if (marks.empty()) return out_;
  instant const others = lowest_but(&in).value_or(end_of_time);  // nothing else happens meanwhile
  for (mark const& m : marks) {
    switch (m.kind) {
      case mark_kind::watermark:
        advance(in, m.time);
        rise(in.ended ? allowed() : std::min(others, in.watermark), m.at);
        break;
      case mark_kind::idle:
        if (m.at != elements) break;  // elements follow
        rest(in, std::chrono::nanoseconds(m.time));
        settle_at(m.at);
        break;
      case mark_kind::stop: stop(in); break;
      case mark_kind::barrier:
        if (kind_ == merge_kind::timed) save(in, *m.cut);
        out_.push_back(m);
        break;
      case mark_kind::restore:
        if (kind_ == merge_kind::timed) restore(in, *m.state);
        out_.push_back(m);
        break;
    }
  }
  return out_;
}

void merged_time::asked(std::size_t input) noexcept {
  inputs_[input].at = turn::asked;
  inputs_[input].since = now();
}

void merged_time::ended(std::size_t input) noexcept {
  merged_time::input& in = inputs_[input];
  in.since = now();
  if (in.stopped) return;
  in.ended = true;
  stirred_ = true;
}

bool merged_time::due() const noexcept {
  return stirred_ && ((kind_ == merge_kind::timed && allowed() > watermark_) || (idle_news_ && all_idle()));
}

std::span<mark const> merged_time::settle() {
  out_.clear();
  settle_at(0);
  return out_;
}

bool merged_time::stopped() const noexcept {
  return std::any_of(inputs_.begin(), inputs_.end(), [](input const& in) { return in.stopped; });
}

void merged_time::advance(input& in, instant to) noexcept {
  in.idle = false;
  if (to == end_of_time) in.ended = true;
  else in.watermark = std::max(in.watermark, to);
}

void merged_time::rest(input& in, std::chrono::nanoseconds quiet) noexcept {
  in.idle = true;
  in.quiet = quiet;
  in.quiet_since = now() - quiet.count();
  idle_news_ = true;
}

void merged_time::stop(input& in) noexcept {
  in.stopped = true;
  in.idle = false;
  in.since = now();
}

std::optional<instant> merged_time::lowest_but(input const* one) const noexcept {
  std::optional<instant> lowest;
  for (input const& in : inputs_)
    if (&in != one && in.holds() && (!lowest || in.watermark < *lowest)) lowest = in.watermark;
  return lowest;
}

instant merged_time::allowed() const noexcept {
  if (auto const held = lowest_but(nullptr)) return *held;
  if (std::all_of(inputs_.begin(), inputs_.end(), [](input const& in) { return in.ended; })) return end_of_time;
  instant furthest = start_of_time;
  for (input const& in : inputs_) furthest = std::max(furthest, in.watermark);
  return furthest;
}

bool merged_time::all_idle() const noexcept {
  return !lowest_but(nullptr) && std::any_of(inputs_.begin(), inputs_.end(), [](input const& in) { return !in.ended; });
}

void merged_time::rise(instant to, std::uint32_t at) {
  if (kind_ == merge_kind::plain || to <= watermark_) return;
  watermark_ = to;
  mark m = mark::watermark(to);
  m.at = at;
  if (!out_.empty() && out_.back().at == at && out_.back().kind == mark_kind::watermark) out_.back() = m;
  else out_.push_back(m);
}

void merged_time::settle_at(std::uint32_t at) {
  stirred_ = false;
  rise(allowed(), at);
  if (!idle_news_ || !all_idle()) return;
  idle_news_ = false;
  auto shortest = std::chrono::nanoseconds::max();
  for (input const& in : inputs_)
    if (!in.ended) shortest = std::min(shortest, in.quiet);
  mark m = mark::idle(shortest);
  m.at = at;
  out_.push_back(m);
}

// Not that it was idle: after a restart there may be much to read.
void merged_time::save(input& in, barrier& cut) const {
  std::vector<std::byte> part;
  encode_state(in.watermark, part);
  encode_state(watermark_, part);
  state_writer to = cut.state().of_next(kind);
  if (!std::exchange(in.told, true)) to.schema(std::string(schema));
  to.put("", std::move(part));
}

void merged_time::restore(input& in, restored_state& state) {
  auto const entries = state.take_next(kind, schema);
  if (entries.empty()) return;
  auto part = whole_state(entries);
  in.watermark = decode_part<instant>(part);
  watermark_ = std::max(watermark_, decode_state<instant>(part));
}

void merged_time::explain(std::size_t input, explanation of_source, explanation& e) const {
  std::move(of_source.windows.begin(), of_source.windows.end(), std::back_inserter(e.windows));
  auto& parts = of_source.partitions;
  if (kind_ == merge_kind::timed && parts.size() <= 1) {
    if (parts.empty()) parts.emplace_back();
    partition_time& p = parts.front();
    if (p.name.empty()) p.name = std::to_string(input);
    explain_state(inputs_[input], p);
  } else if (kind_ == merge_kind::timed) {
    for (partition_time& p : parts) p.name = std::to_string(input) + "/" + p.name;
  }
  std::move(parts.begin(), parts.end(), std::back_inserter(e.partitions));
}

// What was taken counts, not what waits.
void merged_time::explain_state(input const& in, partition_time& p) const {
  bool const source_is_quiet = p.state == partition_state::quiet || p.state == partition_state::idle;
  bool const untaken = in.at == turn::waits || (in.at == turn::handed_on && now() > in.since);
  p.watermark = in.ended ? end_of_time : in.watermark;
  if (in.ended || in.stopped) {
    p.state = in.ended ? partition_state::ended : partition_state::stopped;
    p.since = in.since;
  } else if (untaken && in.holds()) {
    p.state = partition_state::back_pressured;
    p.since = in.since;
  } else if (in.idle) {
    p.state = partition_state::idle;
    if (!source_is_quiet) p.since = in.quiet_since;
  } else if (source_is_quiet) {
    p.state = partition_state::quiet;
  } else {
    p.state = partition_state::reading;
    p.since = in.since;
  }
}

}  // namespace weir::detail
