#include <weir/kinesis/detail/lease_loop.hpp>

#include <weir/context.hpp>
#include <weir/error.hpp>
#include <weir/kinesis/detail/held_up.hpp>
#include <weir/kinesis/detail/lease_position.hpp>
#include <weir/kinesis/detail/list_shards.hpp>
#include <weir/kinesis/detail/shard_sharing.hpp>
#include <weir/kinesis/lease_coverage.hpp>
#include <weir/kinesis/lease_sync.hpp>
#include <weir/kinesis/shard_end.hpp>
#include <weir/metrics.hpp>
#include <weir/sleep.hpp>
#include <weir/timeout.hpp>
#include <weir/when_all.hpp>
#include <weir/when_any.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <set>
#include <span>
#include <utility>

namespace weir::kinesis::detail {
namespace {

using namespace std::chrono_literals;

constexpr unsigned tries_to_sync = 5, tries_to_begin = 5;
constexpr std::size_t made_at_once = 32;  // rows

lease_checkpoint first_of(starting_position const& start) {
  using enum starting_position::type;
  if (start.which() == latest) return lease_checkpoint::latest();
  if (start.which() == at_timestamp) return lease_checkpoint::at_timestamp();
  return lease_checkpoint::trim_horizon();
}

// KCL with several streams in a table has rows "account:stream:epoch:shard".
bool is_of_many_streams(lease const& l) { return l.key.find(':') != std::string::npos; }

task<> pause(std::chrono::nanoseconds d) { co_await sleep_for(d); }
task<> next_change(weir::detail::wait_list& list) { co_await list.wait(); }
task<> change(weir::detail::wait_list& list, bool const& changed) {
  if (!changed) co_await list.wait();
}
// Until one of them has ended.
task<> either(task<> one, task<> other) {
  task<any_result<std::tuple<outcome<void>, outcome<void>>>> first = when_any(std::move(one), std::move(other));
  auto const ended = co_await std::move(first);
  context const& own = co_await current_context();
  own.cancellation().throw_if_requested();
}

}  // namespace

lease_loop::lease_loop(std::shared_ptr<source_state> s, assignment_view& pipeline, environment& env)
    : s_(std::move(s)),
      pipeline_(pipeline),
      env_(env),
      worker_(s_->worker_name(), s_->how.leases->how, s_->random_bits()),
      shards_(worker_, s_->how.leases->how.failover),
      first_(first_of(s_->how.start)) {
  s_->sharing->loop = this;
  s_->sharing->assignments.clear();
  s_->sharing->starts.clear();
}

lease_loop::~lease_loop() { s_->sharing->loop = nullptr; }

void lease_loop::wake() {
  changed_ = true;
  changes_.wake();
}

std::string lease_loop::where(std::string const& shard_id) const {
  return "(stream " + s_->how.stream + ", partition " + shard_id + ", worker " + worker_.name() + ")";
}

task<> lease_loop::run() {
  task<> table = begin_table();
  co_await std::move(table);
  env_.log.info("kinesis: shards are shared by leases (stream " + s_->how.stream + ", table " + s_->how.leases->table + ", worker " +
                worker_.name() + "): all of its workers have to keep their checkpoints in one store");
  auto body = [this](async_scope& scope) { return work(scope); };
  task<> all = with_scope(std::move(body));
  co_await std::move(all);
}

// The table, and a first look at it: what fails for a while is tried again.
task<> lease_loop::begin_table() {
  retry_policy const again = trying(s_, tries_to_sync);
  for (unsigned failed = 1; !pipeline_.draining(); ++failed) {
    std::exception_ptr failure;
    try {
      task<> making = s_->sharing->table->create_if_missing();
      co_await std::move(making);
      task<> looking = look_once();
      co_await std::move(looking);
      co_return;
    } catch (error& e) {
      if (e.code() == condition::cancelled) throw;
      e.with_stream(s_->how.stream);
      failure = std::current_exception();
    }
    std::optional<std::chrono::nanoseconds> const delay = again.after(failure, failed);
    if (!delay) std::rethrow_exception(failure);
    task<> waiting = wait(*delay);
    co_await std::move(waiting);
  }
}

task<> lease_loop::work(async_scope& scope) {
  for (;;) {
    changed_ = false;
    if (pipeline_.draining()) shards_.drain();
    if (pipeline_.over()) shards_.nobody_reads();
    spawn_due(scope);
    if (pipeline_.over() && worker_.held() == 0 && sending_ == 0) {
      scope.cancel();  // looks, and what was about to begin
      co_return;
    }
    time next = worker_.next_due();
    if (!looking_ && !pipeline_.draining()) next = std::min(next, look_at());
    time const delay = std::clamp<time>(next - std::min(next, now()), 1ms, 1h);
    task<> waiting = wait(delay);
    co_await std::move(waiting);
  }
}

// For so long, or until something changes.
task<> lease_loop::wait(time longest) {
  task<> waiting = either(change(changes_, changed_), pause(longest));
  co_await std::move(waiting);
}

// Everything that may be done now. What it starts may end at once, and be known here the next time.
void lease_loop::spawn_due(async_scope& scope) {
  tell_events();
  note_progress();
  std::vector<lease_write> writes = worker_.due(now());
  tell_events();  // what has run out
  for (lease_write& w : writes) scope.spawn(send(std::move(w)));
  for (leased_shards::start& s : shards_.take_ready()) scope.spawn(begin(std::move(s)));
  for (leased_shards::finished_shard& f : shards_.take_finished()) scope.spawn(finish(std::move(f)));
  if (!looking_ && !pipeline_.draining() && now() >= look_at()) {
    looking_ = true;
    scope.spawn(look());
  }
  tell_pipeline();
}

lease_loop::time lease_loop::look_at() const noexcept { return std::max(look_again_, std::min(worker_.look_due(), next_listing_)); }

void lease_loop::note_progress() {
  for (std::string const& id : shards_.renewed(now()))
    if (auto const at = pipeline_.reached(id)) shards_.reached(id, *at);
}

void lease_loop::tell_events() {
  for (lease_event const& e : worker_.take_events()) {
    shards_.happened(e);
    std::string_view change;
    switch (e.what) {
      case lease_event_kind::gained:
        change = "gained";
        env_.log.info("kinesis: a lease was taken " + where(e.of.key));
        break;
      case lease_event_kind::asked_for:
        env_.log.info("kinesis: a lease is asked for by " + e.of.owner + " " + where(e.of.key) +
                      ": it is handed over when what was read is done");
        wake();  // who is about to begin it
        break;
      case lease_event_kind::ended:
        change = "ended";
        list_soon();  // what it ended in
        break;
      case lease_event_kind::lost:
        change = "lost";
        env_.log.warning("kinesis: a lease is lost " + where(e.of.key) + ": " + e.why + "; nothing is committed for it any more");
        wake();
        break;
      case lease_event_kind::checkpointed: break;
    }
    if (change.empty() || !env_.metrics) continue;
    std::array const labels{metric_label("stream", s_->how.stream), metric_label("partition", e.of.key), metric_label("change", change)};
    env_.metrics->add(metric::lease_changes_total, 1, labels);
  }
}

void lease_loop::tell_pipeline() {
  for (auto const& [id, pause] : shards_.take_resting())
    env_.log.info("kinesis: a lease is let go of " + where(id) + ": its shard is not read any more; this worker leaves it to others for " +
                  std::to_string(pause / 1s) + " s");
  std::vector<assignment> more = shards_.take_assignments();
  if (more.empty()) return;
  for (assignment& a : more) s_->sharing->assignments.push_back(std::move(a));
  s_->sharing->told.wake();
}

void lease_loop::list_soon() {
  lists_again_ = true;
  next_listing_ = now();
}

void lease_loop::ended(std::string const& partition, partition_end how) noexcept {
  if (pipeline_.draining()) shards_.drain();
  shards_.ended(partition, how, pipeline_.reached(partition), now());
  wake();
}

task<> lease_loop::look() {
  context const& own = co_await current_context();
  try {
    task<> looking = look_once();
    co_await std::move(looking);
    failed_looks_ = 0;
  } catch (error& e) {
    if (own.cancelled()) throw;
    look_again_ = now() + std::min<time>(s_->how.leases->how.failover / 4, 250ms * (1U << std::min(failed_looks_, 6U)));
    log_held_up(env_.log, "looking at the lease table", ++failed_looks_, e.with_stream(s_->how.stream));
  }
  looking_ = false;
  wake();
}

task<> lease_loop::look_once() {
  bool const lists = now() >= next_listing_;
  bool listed = false;
  if (lists) {
    lists_again_ = false;
    task<bool> listing = list_when_it_can_be();
    listed = co_await std::move(listing);
  }
  time const began = now();
  task<lease_scan> scanning = s_->sharing->table->scan();
  lease_scan found = co_await std::move(scanning);
  std::erase_if(found.leases, is_of_many_streams);
  remember_gone(found.leases);
  if (listed) {
    task<> syncing = sync(found.leases);
    co_await std::move(syncing);
  }
  if (lists) plan_listing(gaps_.look(uncovered_hash_keys(found.leases), s_->how.stream, env_.log));
  shards_.saw(found.leases);
  worker_.saw(std::move(found.leases), began, now());
}

// Shards that are not listed any more: state that was kept for what they came of goes on in what came of them.
void lease_loop::remember_gone(std::vector<lease> const& rows) {
  for (lease const& l : rows) {
    if (!l.keys || s_->graph.recall(l.key)) continue;
    shard s;
    s.id = l.key;
    s.keys = *l.keys;
    if (!l.parents.empty()) s.parent = *l.parents.begin();
    if (l.parents.size() > 1) s.adjacent_parent = *l.parents.rbegin();
    s.closed = true;
    s_->graph.remember(std::move(s));
  }
}

// As often as the options say, a little earlier now and then; soon where keys have no lease, since their shards are about to be listed.
void lease_loop::plan_listing(unsigned gap) {
  time longest = s_->how.discover;
  if (gap != 0) longest = std::min<time>(longest, 1s * (1U << std::min(gap - 1, 10U)));
  time const sooner(static_cast<std::int64_t>(s_->random_bits() % static_cast<std::uint64_t>(longest.count() / 8 + 1)));
  next_listing_ = lists_again_ ? now() : now() + longest - sooner;
}

// Leases are taken also while the stream does not list its shards; before it has once, there is nothing to begin with.
task<bool> lease_loop::list_when_it_can_be() {
  context const& own = co_await current_context();
  bool done = false;
  try {
    task<> listing = list();
    co_await std::move(listing);
    done = true;
    failed_listings_ = 0;
  } catch (error& e) {
    if (own.cancelled() || listed_.empty()) throw;
    log_held_up(env_.log, "listing shards", ++failed_listings_, e.with_stream(s_->how.stream));
  }
  co_return done;
}

task<> lease_loop::list() {
  task<std::vector<shard>> asking = listed_shards(s_);
  listed_ = co_await std::move(asking);
  s_->graph.update(listed_);
  s_->graph.take_missed();
}

// Makes the rows of shards that have none, and deletes those that are not needed any more.
task<> lease_loop::sync(std::vector<lease>& rows) {
  lease_changes changes = compare_leases(listed_, rows, first_);
  for (std::size_t i = 0; i < changes.create.size(); i += made_at_once) {
    std::vector<task<>> some;
    for (lease& l : std::span(changes.create).subspan(i, std::min(made_at_once, changes.create.size() - i)))
      some.push_back(make(std::move(l), rows));
    task<> all = when_all(std::move(some));
    co_await std::move(all);
  }
  for (lease const& l : changes.erase) {
    lease_write w(lease_write_kind::erase, l, worker_.name());
    task<lease_write_result> writing = s_->sharing->table->write(std::move(w));
    lease_write_result const result = co_await std::move(writing);
    if (result.done) std::erase_if(rows, [&](lease const& row) { return row.key == l.key; });
  }
}

task<> lease_loop::make(lease l, std::vector<lease>& rows) {
  lease_write w(lease_write_kind::create, l, worker_.name());
  task<lease_write_result> writing = s_->sharing->table->write(std::move(w));
  lease_write_result result = co_await std::move(writing);
  if (result.done) rows.push_back(std::move(l));
  else if (result.stored) rows.push_back(*std::move(result.stored));
}

task<> lease_loop::send(lease_write w) {
  context const& own = co_await current_context();
  ++sending_;
  std::optional<lease_write_result> result;
  std::exception_ptr failure;
  try {
    task<lease_write_result> writing = with_timeout(s_->how.leases->how.failover / 4, s_->sharing->table->write(w));
    result = co_await std::move(writing);
    failed_writes_ = 0;
  } catch (error& e) {
    failure = std::current_exception();
    if (!own.cancelled()) log_held_up(env_.log, "writing a lease", ++failed_writes_, e.with_partition(w.key()));
  } catch (...) {
    failure = std::current_exception();
  }
  --sending_;
  if (!result) worker_.unknown(w, now());
  else if (result->done) worker_.done(w, now());
  else worker_.refused(w, std::move(result->stored), now());
  wake();
  if (failure && own.cancelled()) std::rethrow_exception(failure);
}

// Brings the checkpoint to where the lease says, so that nobody who had it before can commit, and then has it read.
task<> lease_loop::begin(leased_shards::start of) {
  context const& own = co_await current_context();
  retry_policy const again = retry_policy()
                                 .attempts(tries_to_begin)
                                 .first_delay(500ms)
                                 .random([s = s_] { return s->random_bits(); })
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
      if (failed == tries_to_begin) env_.log.error("kinesis: a shard cannot be begun " + where(of.of.key) + ": " + e.what());
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
  if (pipeline_.draining()) shards_.drain();
  shards_.could_not_begin(of, now());
  wake();
}

bool lease_loop::is_wanted(leased_shards::start const& of) const { return !pipeline_.draining() && shards_.wants(of); }

// For so long, or until there is no use in trying again.
task<> lease_loop::wait_while_wanted(leased_shards::start const& of, time longest) {
  for (time const until = now() + longest; is_wanted(of) && now() < until;) {
    task<> waiting = either(next_change(changes_), pause(until - now()));
    co_await std::move(waiting);
  }
}

task<> lease_loop::begin_once(leased_shards::start of) {
  std::string const& id = of.of.key;
  if (!s_->graph.find(id)) {
    task<> listing = list();
    co_await std::move(listing);
  }
  bool const gone = !s_->graph.find(id);
  s_->sharing->starts.insert_or_assign(id, of.of.checkpoint);
  if (!worker_.holds(id, now())) throw error(weir::errc::fenced, "kinesis: cannot begin a shard", "its lease ran out meanwhile");
  task<fenced_partition> fencing = pipeline_.fence(id, position_in(of.of.checkpoint));
  fenced_partition const found = co_await std::move(fencing);
  if (gone) {  // nothing is left to be read
    if (found.from != shard_end) say_lost(env_.log, s_->how.stream, id);
    shards_.vanished(of);
    co_return;
  }
  if (found.state_is_behind) {
    env_.log.warning("kinesis: records are handled again " + where(id) + ": by the lease others have got to " + of.of.checkpoint.text() +
                     ", and the checkpoint, with its state, stands at " + (found.from ? found.from->text() : std::string("the start")) +
                     "; do all workers keep checkpoints in the same store?");
  }
  shards_.begun(of);
}

// The shard has ended: so does its lease, with the shards it ended in.
task<> lease_loop::finish(leased_shards::finished_shard of) {
  context const& own = co_await current_context();
  std::set<std::string> children;
  try {
    task<> listing = list();
    co_await std::move(listing);
    for (shard const& c : listed_)
      if (c.parent == of.id || c.adjacent_parent == of.id) children.insert(c.id);
  } catch (error const& e) {  // the table may do without them
    if (own.cancelled()) throw;
  }
  shards_.finish(of, std::move(children));
  wake();
}

stream<assignment> shared_shards(std::shared_ptr<source_state> s) {
  for (;;) {
    while (!s->sharing->assignments.empty()) {
      assignment next = std::move(s->sharing->assignments.front());
      s->sharing->assignments.pop_front();
      co_yield next;
    }
    co_await s->sharing->told.wait();
  }
}

task<> share_shards(std::shared_ptr<source_state> s, assignment_view& pipeline) {
  environment& env = (co_await current_context()).environment();
  lease_loop loop(std::move(s), pipeline, env);
  task<> all = loop.run();
  co_await std::move(all);
}

}  // namespace weir::kinesis::detail
