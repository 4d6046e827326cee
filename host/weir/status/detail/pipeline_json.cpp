#include <weir/status/detail/pipeline_json.hpp>

#include <weir/detail/valid_utf8.hpp>
#include <weir/rfc3339.hpp>

#include <boost/json/src.hpp>  // the library's bodies, which only this file needs

#include <chrono>
#include <string_view>

namespace weir::status::detail {
namespace {

namespace json = boost::json;

json::value text(std::string_view bytes) { return json::string(weir::detail::valid_utf8(bytes)); }
json::value text_or_null(std::string const& s) { return s.empty() ? json::value(nullptr) : text(s); }
json::value time(instant t) {
  if (t == start_of_time || t == end_of_time) return nullptr;
  return json::string(format_rfc3339(t));
}
double seconds(std::chrono::nanoseconds d) { return std::chrono::duration<double>(d).count(); }

std::string_view state_name(partition_state s) noexcept {
  switch (s) {
    case partition_state::reading: return "reading";
    case partition_state::quiet: return "quiet";
    case partition_state::idle: return "idle";
    case partition_state::back_pressured: return "back_pressured";
    case partition_state::stopped: return "stopped";
    case partition_state::ended: return "ended";
  }
  return "unknown";
}

json::array inputs(explanation const& e) {
  json::array out;
  for (partition_time const& p : e.partitions) {
    json::object one;
    one["name"] = text_or_null(p.name);
    one["state"] = state_name(p.state);
    one["watermark"] = time(p.watermark);
    one["highest_event_time"] = time(p.highest);
    one["since"] = p.since ? time(*p.since) : json::value(nullptr);
    one["holds_the_others"] = e.holder() == &p;
    out.push_back(std::move(one));
  }
  return out;
}

json::array windows(explanation const& e) {
  json::array out;
  for (open_window const& w : e.windows) {
    json::object one;
    one["operator"] = text(w.operator_name);
    one["start"] = time(w.start);
    one["end"] = time(w.end);
    one["windows"] = w.windows;
    one["keys"] = w.keys;
    one["elements"] = w.elements;
    one["fired"] = w.fired;
    out.push_back(std::move(one));
  }
  return out;
}

json::object partition(partition_figures const& p, application_figures const& all) {
  json::object out;
  out["partition"] = text(p.partition);
  out["stream"] = text(p.stream);
  out["phase"] = to_string(p.phase);
  out["phase_seconds"] = seconds(p.in_phase);
  out["stalled"] = all.stall_after.count() > 0 && p.stalled(all.stall_after);
  out["records"] = p.records;
  out["unread"] = p.unread ? json::value(*p.unread) : json::value(nullptr);
  out["idle"] = p.idle;
  out["frontier"] = text_or_null(p.frontier);
  out["committed"] = text_or_null(p.committed);
  out["committed_at"] = p.committed_at ? time(*p.committed_at) : json::value(nullptr);
  out["frontier_gap"] = p.frontier_gap;
  out["waiting_bytes"] = p.waiting_bytes;
  json::object& state = out["state_bytes"].emplace_object();
  for (auto const& [name, bytes] : p.state) state[weir::detail::valid_utf8(name)] = bytes;
  out["inputs"] = inputs(p.time);
  out["windows"] = windows(p.time);
  out["failure"] = text_or_null(p.failure);
  return out;
}

}  // namespace

std::string pipeline_json(application_figures const& all) {
  json::object out;
  out["application"] = text(all.name);
  out["ready"] = all.ready();
  out["healthy"] = all.complaints().empty();
  out["draining"] = all.draining;
  json::array& pipelines = out["pipelines"].emplace_array();
  for (pipeline_figures const& p : all.pipelines) {
    json::object one;
    one["name"] = text(p.name);
    one["source"] = text(p.source);
    one["guarantee"] = text(p.guarantee);
    one["connected"] = p.connected;
    one["failure"] = text_or_null(p.failure);
    json::array& partitions = one["partitions"].emplace_array();
    for (partition_figures const& at : all.partitions)
      if (at.pipeline == p.name) partitions.push_back(partition(at, all));
    pipelines.push_back(std::move(one));
  }
  return json::serialize(out) + "\n";
}

}  // namespace weir::status::detail
