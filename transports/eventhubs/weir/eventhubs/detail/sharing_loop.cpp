#include <weir/eventhubs/detail/sharing_loop.hpp>

#include <weir/context.hpp>
#include <weir/eventhubs/checkpoint_blobs.hpp>
#include <weir/eventhubs/detail/held_up.hpp>
#include <weir/eventhubs/detail/sharing_state.hpp>
#include <weir/eventhubs/properties.hpp>
#include <weir/retry_policy.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>
#include <weir/when_any.hpp>

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

namespace weir::eventhubs::detail {
namespace {

using namespace std::chrono_literals;

constexpr unsigned tries_to_begin = 5;

task<> pause_for(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<> next_change(weir::detail::wait_list& list) { co_await list.wait(); }
task<> change_of(weir::detail::wait_list& list, bool const& changed) {
  if (!changed) co_await list.wait();
}
// Until one of them has ended.
task<> either(task<> one, task<> other) {
  task<any_result<std::tuple<outcome<void>, outcome<void>>>> first = when_any(std::move(one), std::move(other));
  auto const ended = co_await std::move(first);
  context const& own = co_await current_context();
  own.cancellation().throw_if_requested();
}

position position_of(std::int64_t number) { return position(static_cast<std::uint64_t>(number)); }
std::string text_of(std::optional<position> const& p) { return p ? p->text() : std::string("the start"); }

}  // namespace

sharing_loop::sharing_loop(std::shared_ptr<source_state> s, std::shared_ptr<hub_management> management, assignment_view& pipeline,
                           environment& env)
    : s_(std::move(s)),
      management_(std::move(management)),
      pipeline_(pipeline),
      env_(env),
      consumer_(consumer_name(*s_->how.sharing)),
      balance_(subject(), consumer_, s_->how.sharing->how, s_->client->seed(), env),
      shared_(s_->how.sharing->how.interval) {
  s_->sharing->loop = this;
  s_->sharing->assignments.clear();
  s_->partitions.clear();
}

sharing_loop::~sharing_loop() { s_->sharing->loop = nullptr; }

balance_subject sharing_loop::subject() {
  balance_subject out;
  out.event_hub = s_->client->event_hub();
  out.service = s_->sharing->ownership;
  out.partitions = [this] { return partitions(); };
  out.told = [this](balance_event const& e) {
    if (e.what == balance_event::kind::gained) shared_.gained(e.partition);
    else shared_.lost(e.partition);
    wake();
  };
  return out;
}

void sharing_loop::wake() {
  changed_ = true;
  changes_.wake();
}

std::string sharing_loop::where(std::string const& partition) const {
  return "(stream " + s_->client->event_hub() + ", partition " + partition + ", consumer " + consumer_ + ")";
}

task<> sharing_loop::run() {
  env_.log.info("event hubs: partitions are shared by blobs (stream " + s_->client->event_hub() + ", group " + s_->how.consumer_group +
                ", at " + s_->sharing->where + ", consumer " + consumer_ +
                "): all consumers of the group that are this pipeline have to keep their checkpoints in one store");
  auto body = [this](async_scope& scope) { return work(scope); };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
}

task<> sharing_loop::balance() {
  context const& own = co_await current_context();
  try {
    task<> all = balance_.run();
    co_await std::move(all);
  } catch (error const&) {
    if (own.cancelled()) throw;
    failure_ = std::current_exception();
  }
  balanced_ = true;
  wake();
}

task<> sharing_loop::work(async_scope& scope) {
  scope.spawn(balance());
  for (;;) {
    changed_ = false;
    if (pipeline_.draining()) {
      shared_.drain();
      balance_.drain();
    }
    if (pipeline_.over()) shared_.nobody_reads();
    spawn_due(scope);
    if (failure_) std::rethrow_exception(failure_);
    if (balanced_) {
      scope.cancel();  // what was about to begin
      co_return;
    }
    time const next = next_due(), here = now();
    task<> waiting = wait(next <= here ? time(1ms) : std::min<time>(next - here, 1h));
    co_await std::move(waiting);
  }
}

// Everything that may be done now. What it starts may end at once, and be known here the next time.
void sharing_loop::spawn_due(async_scope& scope) {
  if (now() >= next_note_) {
    for (std::string const& id : shared_.reading())
      if (auto const at = pipeline_.reached(id)) progress_[id].reached(*at);
    next_note_ = now() + s_->how.sharing->checkpoint_every / 4;
  }
  for (std::string const& id : shared_.reading())
    if (auto to = progress_[id].due(now())) scope.spawn(write(*std::move(to)));
  for (shared_partitions::turn& t : shared_.take_ready()) scope.spawn(begin(std::move(t)));
  for (shared_partitions::turn& t : shared_.take_leaving()) scope.spawn(leave(std::move(t)));
  give_back();
  tell_pipeline();
}

sharing_loop::time sharing_loop::next_due() const {
  std::vector<std::string> const read = shared_.reading();
  time out = read.empty() ? now() + 1h : next_note_;
  for (std::string const& id : read)
    if (auto const found = progress_.find(id); found != progress_.end()) out = std::min(out, found->second.next_due());
  return out;
}

void sharing_loop::give_back() {
  for (shared_partitions::release const& r : shared_.take_releases()) {
    if (r.pause > time())
      env_.log.info("event hubs: a partition is given back " + where(r.partition) +
                    ": it is not read any more; this consumer leaves it to others for " + std::to_string(r.pause / 1s) + " s");
    balance_.let_go(r.partition, r.rests_until);
  }
}

void sharing_loop::tell_pipeline() {
  std::vector<assignment> more = shared_.take_assignments();
  if (more.empty()) return;
  for (assignment& a : more) s_->sharing->assignments.push_back(std::move(a));
  s_->sharing->told.wake();
}

// For so long, or until something changes.
task<> sharing_loop::wait(time longest) {
  task<> waiting = either(change_of(changes_, changed_), pause_for(longest));
  co_await std::move(waiting);
}

// Of the hub: asked for as often as the options say.
task<std::vector<std::string>> sharing_loop::partitions() {
  context const& own = co_await current_context();
  bool const first = s_->partitions.empty();
  if (first || now() >= next_listing_) {
    try {
      task<hub_properties> asking = with_timeout(s_->client->timeout(), management_->hub());
      hub_properties const said = co_await std::move(asking);
      know(said.partitions);
      next_listing_ = now() + s_->how.discover;
      failed_listings_ = 0;
    } catch (error& e) {
      if (own.cancelled() || first) throw;
      next_listing_ = now() + std::min<time>(s_->how.discover, s_->how.sharing->how.interval);
      held_up(env_, "asking for the partitions", ++failed_listings_, e.with_stream(s_->client->event_hub()));
    }
  }
  co_return s_->partitions;
}

// Those that are added later are read from their first event on.
void sharing_loop::know(std::vector<std::string> const& all) {
  bool const first = s_->partitions.empty();
  for (std::string const& id : all) {
    if (std::ranges::find(s_->partitions, id) != s_->partitions.end()) continue;
    s_->partitions.push_back(id);
    if (!first) s_->starts.try_emplace(id, from_earliest{});
  }
}

// Brings the checkpoint to where it is to be read from, so that nobody who had it before can commit, and then has it read.
task<> sharing_loop::begin(shared_partitions::turn of) {
  context const& own = co_await current_context();
  retry_policy const again = retry_policy()
                                 .attempts(tries_to_begin)
                                 .first_delay(500ms)
                                 .random([s = s_] { return s->client->seed(); })
                                 .when([](std::exception const&) { return true; });
  std::optional<std::chrono::nanoseconds> delay(0ns);
  for (unsigned failed = 1; delay && is_wanted(of); ++failed) {
    std::exception_ptr failure;
    try {
      task<> beginning = begin_once(of);
      co_await std::move(beginning);
    } catch (error& e) {
      if (own.cancelled()) throw;
      failure = std::current_exception();
      if (failed == tries_to_begin) env_.log.error("event hubs: a partition cannot be begun " + where(of.partition) + ": " + e.what());
    }
    if (!failure) {
      wake();
      co_return;
    }
    delay = again.after(failure, failed);
    if (!delay) break;
    task<> waiting = wait_while_wanted(of, *delay);
    co_await std::move(waiting);
  }
  if (pipeline_.draining()) shared_.drain();
  shared_.could_not_begin(of, now());
  wake();
}

// For so long, or until there is no use in trying again.
task<> sharing_loop::wait_while_wanted(shared_partitions::turn const& of, time longest) {
  for (time const until = now() + longest; is_wanted(of) && now() < until;) {
    task<> waiting = either(next_change(changes_), pause_for(until - now()));
    co_await std::move(waiting);
  }
}

task<> sharing_loop::begin_once(shared_partitions::turn of) {
  std::string const& id = of.partition;
  task<std::optional<stored_checkpoint>> looking = with_timeout(s_->how.sharing->how.interval, s_->sharing->checkpoints->find(id));
  std::optional<stored_checkpoint> const there = co_await std::move(looking);
  std::optional<position> elsewhere;
  if (there && there->sequence_number) elsewhere = position_of(*there->sequence_number);
  if (!there && std::holds_alternative<from_latest>(s_->how.start) && !s_->starts.contains(id)) {
    task<std::optional<position>> asking = latest_of(id);
    elsewhere = co_await std::move(asking);
  }
  if (!balance_.holds(id)) throw error(errc::fenced, "event hubs: cannot begin a partition", "it ran out meanwhile");
  task<fenced_partition> fencing = pipeline_.fence(id, elsewhere);
  fenced_partition const found = co_await std::move(fencing);
  if (!found.from && there) {  // no number
    from_offset behind;
    behind.offset = there->offset;
    s_->starts.insert_or_assign(id, behind);
  }
  say_where(id, there, found);
  stored_checkpoint begins;
  begins.partition = id;
  progress_[id].begins(there.value_or(begins));
  shared_.begun(of);
}

// Where "the latest" is, for who has no checkpoint: it is committed, so that whoever takes the partition next leaves nothing out.
task<std::optional<position>> sharing_loop::latest_of(std::string partition) {
  task<std::optional<position>> asking_store = pipeline_.committed(partition);
  std::optional<position> const committed = co_await std::move(asking_store);
  std::optional<position> out;
  if (committed) co_return out;
  task<partition_properties> asking = with_timeout(s_->client->timeout(), management_->partition(partition));
  partition_properties const now = co_await std::move(asking);
  if (now.last_sequence_number >= 0) out = position_of(now.last_sequence_number);
  else s_->starts.insert_or_assign(partition, from_earliest{});
  co_return out;
}

void sharing_loop::say_where(std::string const& partition, std::optional<stored_checkpoint> const& there,
                             fenced_partition const& found) const {
  if (!there) return;
  std::string const blob = there->sequence_number ? std::to_string(*there->sequence_number) : "the offset " + there->offset;
  if (found.state_is_behind) {
    env_.log.warning("event hubs: events are handled again " + where(partition) + ": by the checkpoint's blob others have got to " + blob +
                     ", and the checkpoint, with its state, stands at " + text_of(found.from) +
                     "; do all consumers keep checkpoints in the same store?");
  } else if (!there->sequence_number && found.stood) {
    env_.log.warning("event hubs: others may have read between " + where(partition) + ": the checkpoint's blob has " + blob +
                     ", and no number to compare; it goes on behind the own checkpoint, at " + text_of(found.from));
  } else if (!found.stood) {
    env_.log.info("event hubs: a partition has no checkpoint yet " + where(partition) + ": it begins behind " + blob +
                  ", where the checkpoint's blob stands");
  } else if (found.stood != found.from) {
    env_.log.warning("event hubs: others have read between " + where(partition) + ": by the checkpoint's blob they have got to " + blob +
                     ", and the own checkpoint stands at " + text_of(found.stood) + ": it goes on behind what they have done");
  }
}

void sharing_loop::read(std::string const& partition, std::span<record const> some) {
  blob_progress& p = progress_[partition];
  for (record const& r : some) p.read(r.sequence_number(), r.offset());
}

void sharing_loop::stolen(std::string const& partition, error const& why) {
  if (!shared_.stolen(partition, pipeline_.reached(partition), now())) return;
  env_.log.warning("event hubs: a partition is lost " + where(partition) + ": " + why.what() + "; nothing is committed for it any more");
  wake();
}

void sharing_loop::ended(std::string const& partition) noexcept {
  if (pipeline_.draining()) shared_.drain();
  auto const at = pipeline_.reached(partition);
  if (at) progress_[partition].reached(*at);
  shared_.ended(partition, at, now());
  wake();
}

task<> sharing_loop::write(stored_checkpoint to) {
  context const& own = co_await current_context();
  std::string const id = to.partition;
  try {
    task<checkpoint_write> writing = with_timeout(s_->how.sharing->how.interval, s_->sharing->checkpoints->write(to));
    checkpoint_write const result = co_await std::move(writing);
    progress_[id].done(result, now() + s_->how.sharing->checkpoint_every);
    failed_writes_ = 0;
    if (!result.done)
      env_.log.warning("event hubs: another consumer reads, too " + where(id) + ": it has brought the checkpoint's blob to " +
                       std::to_string(result.stored.sequence_number.value_or(-1)) + ", and the pipeline stands at " +
                       std::to_string(*to.sequence_number));
  } catch (error& e) {
    progress_[id].failed(now() + s_->how.sharing->checkpoint_every);
    if (own.cancelled()) throw;
    held_up(env_, "writing a checkpoint's blob", ++failed_writes_, e.with_stream(s_->client->event_hub()).with_partition(id));
  }
  wake();
}

// Where who takes it begins, if he does not read the store, is written before it is given back.
task<> sharing_loop::leave(shared_partitions::turn of) {
  while (progress_[of.partition].writing() && shared_.holds(of)) {
    task<> waiting = next_change(changes_);
    co_await std::move(waiting);
  }
  std::optional<stored_checkpoint> to;
  if (shared_.holds(of)) to = progress_[of.partition].last();
  if (to) {
    std::int64_t const number = *to->sequence_number;
    task<> writing = write(*std::move(to));
    co_await std::move(writing);
    if (progress_[of.partition].next_due() != time::max())
      env_.log.warning("event hubs: a partition is given back without its checkpoint in a blob " + where(of.partition) +
                       ": consumers that do not read the store do again what is up to " + std::to_string(number));
  }
  shared_.left(of, now());
  wake();
}

}  // namespace weir::eventhubs::detail
