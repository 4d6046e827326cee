#include "kinesis_commands.hpp"

#ifdef WEIR_HAS_KINESIS
#include "chosen_shards.hpp"
#include "shard_progress.hpp"
#include "text.hpp"

#include <weir/instant.hpp>
#include <weir/kinesis/client.hpp>
#include <command_line/event_loop.hpp>
#include <kinesis_access/access.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kinesis_tool {
namespace {

using std::chrono::milliseconds;
using weir::kinesis::client;
using weir::kinesis::shard;

constexpr int most_reads = 20;  // of a shard, which is five a second; parts of a shard may have nothing in them

// What is known of the records that have not been processed.
struct unread {
  std::optional<milliseconds> behind = milliseconds(0);  // the newest record is ahead of the first of them; null: Kinesis does not say
  std::optional<weir::instant> first;                    // when the first of them arrived; null: there is none
};

weir::task<unread> look_behind(client calls, std::string stream, std::string id, weir::kinesis::starting_position from) {
  std::string iterator = co_await calls.get_shard_iterator(stream, id, std::move(from));
  unread out;
  for (int reads = 0; reads != most_reads; ++reads) {
    weir::kinesis::record_batch const batch = co_await calls.get_records(iterator, 1);
    out.behind = batch.behind;
    if (!batch.records.empty()) out.first = batch.records.front().arrival;
    if (out.first || batch.next_iterator.empty() || !out.behind || out.behind->count() == 0) break;
    iterator = batch.next_iterator;
  }
  co_return out;
}

std::string text_of(milliseconds lag) {
  if (lag.count() > 0 && lag.count() < 1'000) return fmt::format("{}ms", lag.count());
  return state_tool::age_text(std::chrono::nanoseconds(lag).count());
}

// Clocks of two machines differ.
milliseconds age_of(weir::instant arrival) {
  weir::instant const now = weir::to_instant(std::chrono::system_clock::now());
  return milliseconds(arrival < now ? (now - arrival) / 1'000'000 : 0);
}

class listing {
public:
  explicit listing(bool json) : json_(json) {}
  void add(shard const& s, progress_of_shard const& at, unread const& lag) {
    if (json_) {
      state_tool::json_line line;
      line.add("shard", s.id).add_value("open", s.closed ? "false" : "true");
      line.add_value("behind_ms", lag.behind ? std::to_string(lag.behind->count()) : "null");
      line.add_value("waiting_ms", lag.first ? std::to_string(age_of(*lag.first).count()) : "null").add("checkpoint", at.text).print();
      return;
    }
    std::string const behind = at.is_done ? "-" : lag.behind ? text_of(*lag.behind) : "unknown";
    table_.add({s.id, s.closed ? "closed" : "open", behind, lag.first ? text_of(age_of(*lag.first)) : "-", at.text});
  }
  void print() const {
    if (!json_) table_.print();
  }

private:
  using side = state_tool::table::side;
  bool json_;
  state_tool::table table_{{{"SHARD"}, {"STATE"}, {"BEHIND", side::right}, {"WAITING", side::right}, {"CHECKPOINT"}}};
};

}  // namespace

int lag(options const& o) {
  client const calls(kinesis_access::client_of(o.where));
  command_line::event_loop loop;
  std::vector<shard> const all = loop.run(calls.list_shards(o.where.stream));
  std::set<std::string> const ids(o.shards.begin(), o.shards.end());
  shard_progress const progress = find_progress(o, loop);
  listing rows(o.json);
  for (shard const& s : choose(all, ids, o.where.stream)) {
    progress_of_shard const at = progress.of(s.id);
    unread found;
    if (!at.is_done) found = loop.run(look_behind(calls, o.where.stream, s.id, at.begins));
    rows.add(s, at, found);
  }
  rows.print();
  return 0;
}

}  // namespace kinesis_tool
#endif
