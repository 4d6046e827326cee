#include <weir/explanation.hpp>
#include <weir/rfc3339.hpp>

#include <algorithm>
#include <string_view>

namespace weir {
namespace {

std::string time_text(instant t) {
  if (t == start_of_time) return "before all time";
  if (t == end_of_time) return "behind all time";
  return format_rfc3339(t);
}

std::string subject(partition_time const& p) { return p.name.empty() ? "the input" : "partition " + p.name; }

std::string_view state_text(partition_state s) noexcept {
  switch (s) {
    case partition_state::reading: return "is being read";
    case partition_state::quiet: return "is quiet";
    case partition_state::idle: return "is idle";
    case partition_state::back_pressured: return "is back-pressured";
    case partition_state::stopped: return "is stopped";
    case partition_state::ended: return "has ended";
  }
  return "";
}

std::string state_since(partition_time const& p) {
  std::string out(state_text(p.state));
  if (p.since) out += " since " + time_text(*p.since);
  return out;
}

// Why it is so, and what would change it.
std::string_view reason_text(partition_time const& p) noexcept {
  switch (p.state) {
    case partition_state::reading:
      return p.since ? ": it was asked then and has not answered; if it is a live source, heartbeat(...) before event_time lets it be quiet"
                     : "";
    case partition_state::quiet: return ": it is asked and finds nothing, not yet for idle_after";
    case partition_state::idle: return ": it is asked and finds nothing, for idle_after or longer, so it holds nobody";
    case partition_state::back_pressured: return ": it has data that nobody takes, so it is not idle; look for what is slow behind it";
    case partition_state::stopped: return ": its data goes on without us, so what is open does not close here";
    case partition_state::ended: return ": it holds nobody";
  }
  return "";
}

std::string partition_text(partition_time const& p, partition_time const* holder) {
  std::string out = subject(p) + " " + state_since(p);
  out += reason_text(p);
  if (p.state == partition_state::ended) return out;
  out += p.watermark == start_of_time ? std::string("; no watermark yet") : "; watermark " + time_text(p.watermark);
  if (&p == holder) out += ", which holds the others";
  out += p.highest == start_of_time ? std::string("; no event yet") : "; highest event time " + time_text(p.highest);
  return out;
}

std::string window_text(open_window const& w, std::string_view why) {
  std::string out = "window [" + time_text(w.start) + ", " + time_text(w.end) + ")";
  if (!w.operator_name.empty()) out += " of " + w.operator_name;
  out += " (" + std::to_string(w.keys) + (w.keys == 1 ? " key, " : " keys, ") + std::to_string(w.elements) +
         (w.elements == 1 ? " element)" : " elements)");
  out += w.fired ? " has fired and is kept for late elements until the watermark reaches " + time_text(w.closes)
                 : " is open until the watermark reaches " + time_text(w.end);
  out += "; it is at " + time_text(w.watermark);
  out += why;
  return out;
}

bool holds(partition_time const& p) noexcept { return p.state != partition_state::idle && p.state != partition_state::ended; }

}  // namespace

partition_time const* explanation::holder() const noexcept {
  partition_time const* lowest = nullptr;
  for (partition_time const& p : partitions)
    if (holds(p) && (!lowest || p.watermark < lowest->watermark)) lowest = &p;
  return lowest;
}

std::string explanation::text() const {
  std::string out, why;
  partition_time const* const first = holder();
  if (first) why = ", held by " + subject(*first) + ", which " + state_since(*first);
  else if (!partitions.empty()) why = ", and no partition holds it: all are idle or have ended";
  for (partition_time const& p : partitions) out += partition_text(p, partitions.size() > 1 ? first : nullptr) + "\n";
  for (open_window const& w : windows) out += window_text(w, why) + "\n";
  return out;
}

}  // namespace weir
