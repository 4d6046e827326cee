#include "commands.hpp"
#include "confirm.hpp"
#include "text.hpp"

#include <weir/checkpoint_history.hpp>
#include <weir/error.hpp>
#include <weir/fences_id.hpp>
#include <weir/instant.hpp>
#include <weir/outbox_id.hpp>
#include <weir/rfc3339.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace state_tool {
namespace {

[[noreturn]] void refuse(weir::errc code, opened_store const& store, weir::checkpoint_key const& key, options const& o, std::string why,
                         std::string advice) {
  throw weir::error(code, "weir: cannot rewind", std::move(why), std::move(advice))
      .with_stream(name_text(key.stream))
      .with_partition(name_text(key.partition))
      .with_position(o.to.text())
      .with_detail("pipeline " + name_text(key.pipeline))
      .with_detail(store.name());
}

void print(char const* when, weir::saved_checkpoint const& c) {
  fmt::print("{}  {}, written at {} by {}\n", when, content_text(c), weir::format_rfc3339(c.head.written_at), name_text(c.head.writer));
}

weir::saved_checkpoint load(opened_store& store, weir::checkpoint_key const& key, options const& o) {
  auto found = store.load(key);
  if (!found) refuse(weir::errc::not_found, store, key, o, "there is no such checkpoint any more", "look again");
  return *std::move(found);
}

// Where it stood at a time, by what it says of its past.
weir::position position_at(weir::instant when, weir::saved_checkpoint const& now, weir::checkpoint_history const& past, opened_store& store,
                           weir::checkpoint_key const& key, options const& o) {
  if (now.head.written_at <= when) return now.head.position;
  auto const& all = past.all();
  auto const behind = std::ranges::upper_bound(all, when, {}, &weir::past_checkpoint::written_at);
  if (behind != all.begin()) return std::prev(behind)->position;
  std::string known = "nothing but where it stands now";
  if (!all.empty()) known = "back to position " + all.front().position.text() + " at " + weir::format_rfc3339(all.front().written_at, 0);
  refuse(weir::errc::not_found, store, key, o, "where it stood at " + weir::format_rfc3339(when) + " is not known; what is known: " + known,
         "give a later time, or the position that the source had then (of a file: the byte behind a line; of Kafka: an offset)");
}

// What belongs to where the frontier was. But messages that were sent stay sent, and their numbers are not given again;
// and what is counted by versions stays with the version.
std::vector<weir::state_entry> state_of(weir::saved_checkpoint const& c, weir::checkpoint_history& past) {
  std::vector<weir::state_entry> out = c.entries;
  past.load(out);
  std::erase_if(out, [](weir::state_entry const& e) { return e.operator_id == weir::outbox_id || e.operator_id == weir::fences_id; });
  return out;
}

std::vector<weir::state_change> without(std::vector<weir::state_entry> const& entries) {
  std::vector<weir::state_change> out;
  for (auto const& e : entries)
    if (out.empty() || out.back().entry.operator_id != e.operator_id) out.push_back(weir::state_change::erase_prefix(e.operator_id, ""));
  return out;
}

}  // namespace

int rewind(opened_store& store, options const& asked) {
  options o = asked;
  auto const key = select_one(store, o.which);
  auto const before = load(store, key, o);
  weir::checkpoint_history past;
  auto const dropped = state_of(before, past);
  if (o.to_time) o.to = position_at(*o.to_time, before, past, store, key, o);
  std::string const from = before.head.position.text();
  fmt::print("{}\n", checkpoint_text(key));
  print("before", before);
  if (o.to == before.head.position) {
    fmt::print("it is there already\n");
    return 0;
  }
  if (o.to > before.head.position) {
    refuse(weir::errc::out_of_range, store, key, o, "it is at position " + from + ", and a checkpoint goes back only",
           "what lies between would be lost; give a position before that");
  }
  if (!dropped.empty() && !o.drop_state) {
    refuse(weir::errc::rejected, store, key, o,
           "it has state, " + count_text(dropped.size(), "entry", "entries") + ", that belongs to position " + from +
               "; that of an earlier one is not kept",
           "with --drop-state it is dropped: operators begin as new at " + o.to.text() +
               ", windows that were open there miss what came before it, and effects behind it come again, which only sinks that are "
               "idempotent by identity take without harm");
  }
  std::string const question =
      fmt::format("Set it back from {} to {}{}? Stop the pipeline before: one that runs is refused at its next commit.", from, o.to.text(),
                  dropped.empty() ? "" : " and drop its state");
  if (!o.yes && !confirm(question)) return 1;
  weir::instant const now = weir::to_instant(std::chrono::system_clock::now());
  weir::checkpoint_head next(o.to, now, before.head.version + 1,
                             fmt::format("weir state rewind {} {}", weir::format_rfc3339(now), ::getpid()));
  auto changes = without(dropped);
  past.set_back(o.to, changes);
  weir::checkpoint_update back(std::move(next), std::move(changes));
  back.move = weir::frontier_move::anywhere;
  store.commit(key, std::move(back));
  print("after ", load(store, key, o));
  return 0;
}

}  // namespace state_tool
