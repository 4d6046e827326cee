#include <weir/eventhubs/detail/read_partition.hpp>

#include <weir/context.hpp>
#include <weir/environment.hpp>
#include <weir/error.hpp>
#include <weir/eventhubs/detail/held_up.hpp>
#include <weir/eventhubs/detail/pace.hpp>
#include <weir/eventhubs/detail/partition_reader.hpp>
#include <weir/eventhubs/detail/partition_report.hpp>
#include <weir/sleep.hpp>

#include <optional>
#include <random>
#include <span>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace weir::eventhubs::detail {
namespace {

partition_link_options link_of(client_state& s, std::string const& partition, receiver_options const& o) {
  partition_link_options out;
  out.event_hub = s.event_hub();
  out.consumer_group = o.consumer_group;
  out.partition = partition;
  out.receiver = o.name.empty() ? s.unique_name() : o.name;
  out.owner_level = o.owner_level;
  out.from = o.from;
  out.otherwise = o.otherwise;
  out.most_events = o.most_events;
  out.most_bytes = o.most_bytes;
  return out;
}

starting_position behind_last(partition_properties const& p) {
  if (p.last_sequence_number < 0) return from_earliest{};
  from_sequence_number out;
  out.sequence_number = p.last_sequence_number;
  return out;
}

// The event that a link is to begin behind, where that is known.
std::optional<std::int64_t> place_behind(starting_position const& start) {
  auto const* const known = std::get_if<from_sequence_number>(&start);
  return known != nullptr && !known->inclusive ? std::optional(known->sequence_number) : std::nullopt;
}

error loss_error(link_loss const& why) {
  std::string text = why.condition.empty() ? std::string("the connection is lost") : why.condition;
  if (!why.description.empty()) text.append(": ").append(why.description);
  std::error_code const code = code_of(why.condition);
  std::string advice;
  if (code == errc::fenced) advice = "let it, or read with a higher owner_level";
  if (code == errc::not_found) advice = "correct the event hub, the consumer group, or the partition";
  if (why.condition == "com.microsoft:argument-error" || why.condition == "com.microsoft:argument-out-of-range")
    advice = "if the event hub was made anew, erase its checkpoints";
  return error(code, code == errc::fenced ? "event hubs: another receiver has the partition" : "event hubs: cannot read a partition",
               std::move(text), std::move(advice));
}

// What there is no use in trying again. `renewed`: the token was, since the link was there last.
bool is_final(reaction does, bool renewed) noexcept {
  return does == reaction::let_go || does == reaction::give_up || (does == reaction::new_token && renewed);
}

}  // namespace

void check(receiver_options const& o) {
  auto const require = [](bool holds, char const* what) {
    if (!holds) throw error(errc::invalid_option, "event hubs: cannot read a partition", what);
  };
  require(!o.consumer_group.empty(), "consumer_group is empty; the one that every event hub has is $Default");
  require(!o.owner_level || *o.owner_level >= 0, "owner_level is below zero");
  require(o.most_events > 0, "most_events is not above zero");
  require(o.most_bytes > 0, "most_bytes is not above zero");
  require(o.idle_every > std::chrono::nanoseconds(0), "idle_every is not above zero");
  require(!std::holds_alternative<from_latest>(o.otherwise), "otherwise is from_latest, by which events would be left out");
}

task<starting_position> settled_start(std::shared_ptr<client_state> s, std::string partition, starting_position from) {
  if (!std::holds_alternative<from_latest>(from)) co_return from;
  std::shared_ptr<hub_management> const management = s->management(co_await current_context());
  task<partition_properties> asking = management->partition(std::move(partition));
  partition_properties const now = co_await std::move(asking);
  co_return behind_last(now);
}

stream<record> read_partition(std::shared_ptr<client_state> s, std::string partition, receiver_options o) {
  context const& first = co_await current_context();
  environment& env = first.environment();
  std::shared_ptr<hub_management> before;  // so that the connection stays
  if (std::holds_alternative<from_latest>(o.from)) before = s->management(first);
  task<starting_position> settling = settled_start(s, partition, o.from);
  o.from = co_await std::move(settling);
  partition_reader reader(s->connection(first), s->authority(), link_of(*s, partition, o), env.clock());
  before.reset();
  partition_report report(s->event_hub(), partition);
  std::minstd_rand random(s->seed());
  std::chrono::nanoseconds quiet{};
  bool renewed = false;
  for (unsigned failures = 0;;) {
    try {
      task<> allowing = reader.until_allowed();
      co_await std::move(allowing);
    } catch (error& e) {
      e.with_stream(s->event_hub()).with_partition(partition);
      throw;
    }
    std::chrono::nanoseconds const opened = env.clock().steady();
    std::optional<std::int64_t> behind = place_behind(reader.next_start());
    quiet = {};
    reader.watch(o.idle_every);
    reader.open();
    while (reader.waiting() != 0 || !reader.loss()) {
      if (reader.waiting() != 0) {
        std::vector<record> some = reader.take_records();
        failures = 0;
        renewed = false;
        quiet = {};
        if (behind) report.begins(env, *behind, some.front());
        behind.reset();
        report.read(env, some.back(), reader.runtime());
        co_yield std::span<record>(some);
        reader.watch(o.idle_every);
      } else if (reader.fault()) {
        throw error(errc::malformed, "event hubs: an event cannot be read", make_error_code(*reader.fault()).message(),
                    "begin behind it, if it is to be left out")
            .with_stream(s->event_hub())
            .with_partition(partition);
      } else if (reader.quiet()) {
        quiet += o.idle_every;
        co_yield mark::idle(quiet);
        reader.watch(o.idle_every);
      } else {
        co_await reader.changed().wait();
      }
    }
    link_loss const why = *reader.loss();
    bool const connected = reader.on() != nullptr;
    reader.end();
    reader.flush();
    if (env.clock().steady() - opened >= longest_pause) {
      failures = 0;
      renewed = false;
    }
    if (!connected && why.condition.empty()) continue;  // the connection has pauses of its own
    error because = loss_error(why);
    because.with_stream(s->event_hub()).with_partition(partition);
    if (is_final(why.does, renewed)) throw because;
    if (why.does == reaction::from_start)
      env.log.warning(std::string(because.what()) + "; it is read from where a reader without a position begins");
    if (why.does == reaction::new_token) {
      renewed = true;
      reader.renew_token();
      continue;
    }
    held_up(env, "reading a partition", ++failures, because);
    co_await sleep_for(pause_after(failures, why.does, random()));
  }
}

}  // namespace weir::eventhubs::detail
