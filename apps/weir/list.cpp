#include "commands.hpp"
#include "text.hpp"

#include <weir/error.hpp>
#include <weir/instant.hpp>
#include <weir/rfc3339.hpp>

#include <command_line/complain.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <limits>

namespace state_tool {
namespace {

// Nanoseconds since then; less than none is in the future.
std::int64_t age_of(weir::instant then) {
  std::int64_t const now = weir::to_instant(std::chrono::system_clock::now());
  std::int64_t age = 0;
  if (__builtin_sub_overflow(now, then, &age)) return then < 0 ? std::numeric_limits<std::int64_t>::max() : -1;
  return age;
}

class listing {
public:
  explicit listing(bool json) : json_(json) {}

  void add(weir::checkpoint_listing const& l) {
    if (json_) {
      json_line line;
      line.add_key(l.key).add("position", l.head.position.text()).add("written_at", weir::format_rfc3339(l.head.written_at));
      line.add_value("age_seconds", std::to_string(age_of(l.head.written_at) / 1'000'000'000)).add("version", l.head.version);
      line.add_bytes("writer", l.head.writer).add("entries", l.entries).add("bytes", l.bytes).print();
      return;
    }
    table_.add({name_text(l.key.pipeline), name_text(l.key.stream), name_text(l.key.partition), l.head.position.text(),
                weir::format_rfc3339(l.head.written_at), age_text(age_of(l.head.written_at)), std::to_string(l.head.version),
                std::to_string(l.entries), std::to_string(l.bytes)});
  }
  void add_damaged(weir::checkpoint_key const& key, char const* why) {
    command_line::complain("weir", why);
    if (json_) json_line().add_key(key).add("problem", why).print();
    else table_.add({name_text(key.pipeline), name_text(key.stream), name_text(key.partition), "DAMAGED"});
  }
  void end() const {
    if (!json_) table_.print();
  }

private:
  using side = table::side;
  bool json_;
  table table_{{{"PIPELINE"},
                {"STREAM"},
                {"PARTITION"},
                {"POSITION", side::right},
                {"WRITTEN AT"},
                {"AGE", side::right},
                {"VERSION", side::right},
                {"ENTRIES", side::right},
                {"BYTES", side::right}}};
};

weir::checkpoint_listing counted(weir::checkpoint_key key, weir::saved_checkpoint const& c) {
  std::uint64_t bytes = 0;
  for (auto const& e : c.entries) bytes += e.operator_id.size() + e.key.size() + e.value.size();
  return {std::move(key), c.head, c.entries.size(), bytes};
}

// One by one, since one that is damaged keeps a pipeline from being listed. False: one was.
bool list_one_by_one(opened_store& store, std::vector<weir::checkpoint_key> const& keys, listing& to) {
  bool sound = true;
  for (auto const& key : keys) {
    try {
      if (auto const c = store.load(key)) to.add(counted(key, *c));
    } catch (weir::error const& e) {
      if (e.code() != weir::errc::corrupt) throw;
      to.add_damaged(key, e.what());
      sound = false;
    }
  }
  return sound;
}

bool list_pipeline(opened_store& store, std::vector<weir::checkpoint_key> const& keys, options const& o, listing& to) {
  std::vector<weir::checkpoint_listing> found;
  try {
    found = store.list(keys[0].pipeline);
  } catch (weir::error const& e) {
    if (e.code() != weir::errc::corrupt) throw;
    return list_one_by_one(store, keys, to);
  }
  for (auto const& l : found)
    if (o.which.takes(l.key)) to.add(l);
  return true;
}

}  // namespace

int list(opened_store& store, options const& o) {
  auto const keys = select_keys(store, o.which);
  if (keys.empty()) {
    fmt::print(stderr, "no checkpoints in {}\n", store.name());
    return 0;
  }
  listing all(o.json);
  bool sound = true;
  for (auto begin = keys.begin(); begin != keys.end();) {
    auto const end = std::find_if(begin, keys.end(), [&](auto const& k) { return k.pipeline != begin->pipeline; });
    sound &= list_pipeline(store, {begin, end}, o, all);
    begin = end;
  }
  all.end();
  return sound ? 0 : 1;
}

}  // namespace state_tool
