#include <weir/detail/progress.hpp>

#include <weir/codec.hpp>
#include <weir/detail/checkpoint_parts.hpp>
#include <weir/detail/fence.hpp>
#include <weir/detail/host_entries.hpp>
#include <weir/detail/inheritance.hpp>
#include <weir/detail/outlived_state.hpp>
#include <weir/error.hpp>
#include <weir/outbox_id.hpp>
#include <weir/schema_id.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace weir::detail {
namespace {

// What a store says of rows that it will not take however often they are offered; everything else is about the store, or about the
// checkpoint. What is no error of the system was thrown by a function that makes rows.
progress::store_verdict verdict_on(std::exception_ptr const& failure, bool wrote) {
  if (!wrote) return progress::store_verdict::failed;
  try {
    std::rethrow_exception(failure);
  } catch (std::system_error const& e) {
    for (errc const about_rows : {errc::rejected, errc::out_of_range, errc::too_large, errc::malformed})
      if (e.code() == about_rows) return progress::store_verdict::rejected;
    return progress::store_verdict::failed;
  } catch (std::bad_alloc const&) {
    return progress::store_verdict::failed;
  } catch (...) {
    return progress::store_verdict::rejected;
  }
}

}  // namespace

// A barrier that knows its position.
class progress::cut_here final : public weir::barrier {
public:
  cut_here(progress& p, position at, bool closing) noexcept : barrier(closing), at(at), handed(p.portion_.handed()), progress_(&p) {
    count(++p.sent_, p.stored_);
  }
  position const at;
  std::uint64_t const handed;
  bool counted = false;  // its changes are among the frontier's
  std::size_t held() const noexcept { return state().changes_memory() + state().writes_memory(); }

private:
  void on_arrive() noexcept override { progress_->arrived(*this); }
  void on_complete() noexcept override { progress_->passed(*this); }
  progress* progress_;
};

progress::progress(partition_report& report, state_store& store, checkpoint_key key, commit_policy policy,
                   std::optional<std::uint64_t> memory, std::vector<std::shared_ptr<pipeline_sink>> sinks,
                   std::vector<migration> const& migrations)
    : report_(report),
      store_(store),
      key_(std::move(key)),
      writer_(unique_writer()),
      policy_(policy),
      outbox_(*this, key_, sinks),
      sinks_(*this, std::move(sinks)),
      stored_(store.reader(), key_),
      migrations_(migrations),
      memory_(memory) {}
progress::~progress() = default;

task<> progress::load() {
  std::optional<saved_checkpoint> saved = co_await store_.load_resident(key_);
  if (lost_) throw error(errc::fenced, "checkpoint: cannot be loaded", "the partition was lost to another worker meanwhile");
  changes_.clear();
  changes_memory_ = 0;
  writes_.clear();
  offered_.reset();
  restored_.reset();
  refused_ = nullptr;
  version_ = saved ? saved->head.version : 0;
  dead_ = 0;
  end_written_ = false;
  frontier_.reset();
  committed_.reset();
  fences_ = saved ? take_fences(saved->entries) : fences();
  check_fence();
  co_await sinks_.resume(key_, version_ - fences_.count, fences_.count);
  takes_over_ = false;
  looks_back_ = order_ != nullptr;
  bool const begins = order_ && (!saved || !begun(*saved));  // what is there may be a fence, and nothing else
  if (!saved) saved.emplace();
  else frontier_ = committed_ = begun(*saved);
  committed_at_ = saved->head.written_at;
  history_.load(saved->entries);
  take_dead(saved->entries);
  outbox_.restore(saved->entries);
  end_written_ = std::erase_if(saved->entries, [](state_entry const& e) { return e.operator_id == end_id; }) != 0;
  context const& own = co_await current_context();
  migrate(saved->entries, own.log());
  schemas_.load(saved->entries);
  if (!saved->entries.empty() || !migrated_.empty()) restored_.emplace(std::move(saved->entries), key_.pipeline, &stored_);
  if (begins) {
    restored_state from({}, key_.pipeline, &stored_);
    task<bool> taking = take_over(store_, key_, order_, migrations_, from);
    takes_over_ = co_await std::move(taking);
    if (takes_over_) restored_.emplace(std::move(from));
  }
  loaded_ = true;  // nothing has thrown
}

// Before anything outside of the store is touched: what another worker writes there, who has fenced the partition since, is none of ours.
void progress::check_fence() const {
  if (!fence_ || fences_.last == *fence_) return;
  error e(errc::fenced, "checkpoint: cannot be begun with",
          "another worker has taken the partition over since it was assigned here, or its checkpoint was erased",
          "nothing is to be done where workers share partitions: whoever has it reads it");
  e.with_stream(key_.stream).with_partition(key_.partition).with_detail("pipeline " + key_.pipeline);
  throw e;
}

void progress::migrate(std::vector<state_entry>& entries, logger& log) {
  migrated_.clear();
  if (migrations_.empty() || entries.empty()) return;
  std::vector<std::string> ran;
  try {
    migrated_ = run_migrations(migrations_, entries, &stored_, ran);
  } catch (error& e) {
    e.with_stream(key_.stream).with_partition(key_.partition).with_detail("pipeline " + key_.pipeline);
    throw;
  }
  for (std::string const& what : ran)
    log.info("migration: state was changed (" + what + ", pipeline " + key_.pipeline + ", partition " + key_.partition +
             "); it is written with the next checkpoint");
}

task<> progress::commit() {
  async_lock::holder const alone = co_await writing_.acquire();
  wanted_ = false;
  if (lost_) throw error(errc::fenced, "checkpoint: cannot be made", "the partition was lost to another worker");
  if (refused_) refuse();
  if (offered_) co_await write_offered();
  take_settled_rows();
  if (refused_) refuse();
  if (!frontier_ && !writes_.empty()) {
    throw error(errc::misuse, "checkpoint: cannot be made",
                "rows were written to a sink, or messages sent, before there was any record, and they go with records",
                "write what comes of a record");
  }
  if (!frontier_) co_return;
  if (committed_ && *committed_ >= *frontier_ && changes_.empty() && writes_.empty() && !outbox_.has_delivered()) co_return;
  context& own = co_await current_context();
  if (fences_.count != 0 && fences_.last == version_)
    sinks_.take_none([this](std::shared_ptr<sink_write> w) { writes_.add(std::move(w)); });
  std::size_t const memory = std::exchange(changes_memory_, 0) + writes_.memory();
  std::vector<state_change> changes = std::exchange(changes_, {});
  outbox::step messages = outbox_.next(writes_.messages(), changes);
  instant const now = own.clock().now();
  if (committed_) history_.replaced(past_checkpoint(committed_at_, *committed_), now, changes);
  checkpoint_update next(checkpoint_head(*frontier_, now, version_ + 1, writer_), std::move(changes), writes_.in_store());
  offered_.emplace(std::move(next), std::exchange(writes_, {}), std::move(messages), portion_.done(), passed_);
  offered_->memory = memory;
  co_await write_offered();
  if (!takes_over_ && std::exchange(looks_back_, false)) co_await look_back();
}

// What it goes on from may be of no use any more.
task<> progress::look_back() {
  context& own = co_await current_context();
  try {
    task<> deleting = delete_outlived(store_, key_, order_);
    co_await std::move(deleting);
  } catch (error const& e) {
    if (own.cancelled()) throw;
    own.log().warning(std::string("checkpoint: state that others have taken over is not deleted, until the next start: ") + e.what());
  }
}

task<> progress::finish() {
  if (!ends_at_ || !data_done()) co_return;
  std::optional<saved_checkpoint> const saved = co_await store_.load(key_);
  std::string holding;
  for (state_entry const& e : saved ? saved->entries : std::vector<state_entry>()) {
    bool const stays = !order_ || std::ranges::find(staying_, e.operator_id) != staying_.end();
    if (stays && !is_of_host(e.operator_id) && !holding.ends_with(e.operator_id)) holding += (holding.empty() ? "" : ", ") + e.operator_id;
  }
  if (!holding.empty()) {
    throw error(errc::misuse, "checkpoint: the partition cannot be finished",
                "it has ended for good and goes on in others, and there is state that cannot be divided among those: " + holding,
                "its state is kept in the checkpoint as it is; nothing behind it is read")
        .with_stream(key_.stream)
        .with_partition(key_.partition);
  }
  advance(*ends_at_);
  co_await commit();
}

void progress::refuse() {
  if (verdict_ != store_verdict::rejected) verdict_ = store_verdict::failed;
  std::rethrow_exception(refused_);
}

// When it fails, it is not forgotten: the store may have it nevertheless, and then knows the same one again.
task<> progress::write_offered() {
  offer& o = *offered_;
  {
    partition_report::commit under_way(report_);
    try {
      co_await o.writes.write_outside(key_, o.update.head.version - fences_.count, fences_.count);
      co_await store_.commit(key_, o.update);
    } catch (...) {
      verdict_ = verdict_on(std::current_exception(), !o.writes.empty());
      throw;
    }
    under_way.succeeded();
  }
  verdict_ = store_verdict::fine;
  portion_.committed(o.records);
  stored_.committed(o.barriers);
  committed_ = o.update.head.position;
  committed_at_ = o.update.head.written_at;
  version_ = o.update.head.version;
  outbox_.stored(std::move(o.messages));
  offered_.reset();
  tell(true);
  context& own = co_await current_context();
  say_staying(own.log());
}

// Better now than when it happens.
void progress::say_staying(logger& log) {
  if (!order_ || !ends_at_ || staying_.empty() || std::exchange(said_staying_, true)) return;
  std::string all;
  for (std::string const& id : staying_) all += (all.empty() ? "" : ", ") + id;
  log.warning("checkpoint: state could not be handed over (pipeline " + key_.pipeline + ", partition " + key_.partition +
              "): when the partition ends and goes on in others, it will halt, since what these operators keep cannot be divided: " + all);
}

task<> progress::begin(context& main) {
  portion_.begin();
  if (offered_) offered_->records = 0;  // of an attempt before this one
  if (verdict_ == store_verdict::rejected || refused_) {
    async_lock::holder const alone = co_await writing_.acquire();
    co_await load();
  }
  verdict_ = store_verdict::fine;
  pass_buried();
  co_await commit();
  if (!loaded_) co_await load();
  loaded_ = false;
  main_ = &main;
  barriers_.clear();
  staying_.clear();
  sinks_.drop_open();
  settled_.reset();
  settled_including_.reset();
  since_cut_ = 0;
  cut_due_ = wanted_ = over_ = data_ended_ = marked_ = false;
}

void progress::end(bool succeeded) {
  closed();
  clock_stop();
  if (succeeded && settled_including_) done_up_to(*settled_including_);
  else if (settled_) done_up_to(*settled_);
  else if (succeeded && over_) finish_data();
  if (succeeded && !over_ && sinks_.have_left()) {
    refused_ = std::make_exception_ptr(
        error(errc::misuse, "checkpoint: cannot be made",
              "rows were written since the last one, and the stream was not read to its end (take, or a handler that returned), so that no "
              "checkpoint passes them",
              "read the stream to its end, with a filter in place of take; or write to something else than a sink of the pipeline"));
  }
  sinks_.drop_open();
  tell(false);
}

// Results that were waiting for the end of the data: when a run has found no more, they are the same as before.
void progress::finish_data() {
  if (!sinks_.have_left() || end_written_) return;
  if (barriers_.empty() || barriers_.back().arrived()) sinks_.settle_all();
  sinks_.take_left([this](std::shared_ptr<sink_write> w) { writes_.add(std::move(w)); });
  if (!data_ended_ || !frontier_) return;
  add_change(state_change::put(std::string(end_id), "", {}));
  end_written_ = true;
}

void progress::closed() noexcept {
  if (!witness_) return;
  settled_ = witness_->settled(false);
  settled_including_ = witness_->settled(true);
  witness_ = nullptr;
}

void progress::settle(bool including) noexcept {
  if (!witness_) return;
  if (std::optional<position> const p = witness_->settled(including)) done_up_to(*p);
}

void progress::done_up_to(position const& p) noexcept {
  if (takes_over_) return;  // that comes first
  advance(p);
  sinks_.settle(p);
}

void progress::advance(position const& p) noexcept {
  if (!frontier_ || p > *frontier_) frontier_ = p;
}

void progress::bury(position const& at, std::shared_ptr<store_write> letter) { buried_.emplace(at, std::move(letter)); }

void progress::pass_buried() {
  if (!buried_) return;
  if (takes_over_) {
    throw error(errc::misuse, "dead letter: a record cannot be given up",
                "the partition takes over state of others, which is not committed yet, as an operator runs ahead of it",
                "start again with the failing record repaired, or without that operator");
  }
  advance(buried_->at);
  if (buried_->letter) writes_.add(std::move(buried_->letter));
  buried_.reset();
  std::vector<std::byte> count;
  encode_state(++dead_, count);
  add_change(state_change::put(std::string(dead_letters_id), "", std::move(count)));
}

void progress::take_dead(std::vector<state_entry>& entries) {
  auto const found = std::ranges::find(entries, dead_letters_id, &state_entry::operator_id);
  if (found == entries.end()) return;
  dead_ = decode_state<std::uint64_t>(found->value);
  entries.erase(found);
}

bool progress::due(std::uint64_t more, bool marked) {
  records_ += more;
  since_cut_ += more;
  marked_ = marked_ || (marked && (portion_.handed() != 0 || frontier_));
  if (more != 0 && std::exchange(end_written_, false)) add_change(state_change::erase(std::string(end_id), ""));
  if (!pending() && main_) main_->clock().start(*this, policy_.every);
  return since_cut_ >= policy_.records || (cut_due_ && (since_cut_ != 0 || marked_));
}

weir::barrier& progress::cut(position const& at, bool closing) {
  while (!barriers_.empty() && barriers_.front().counted) barriers_.pop_front();
  since_cut_ = 0;
  cut_due_ = marked_ = false;
  return barriers_.emplace_back(*this, at, closing);
}
weir::barrier& progress::cut(position const& at) { return cut(at, false); }
weir::barrier& progress::close(position const& at) { return cut(at, true); }

void progress::take_settled_rows() noexcept {
  try {
    sinks_.take_settled([this](std::shared_ptr<sink_write> w) { writes_.add(std::move(w)); });
  } catch (...) {
    refused_ = std::current_exception();
    verdict_ = verdict_on(refused_, true);
  }
}

// The handler asks for what comes behind the barrier: what it has written so far comes of what was in front of it.
void progress::arrived(cut_here& b) noexcept {
  take_settled_rows();
  if (!sinks_.have_open()) return;
  try {
    if (b.divided()) {
      throw error(errc::misuse, "checkpoint: cannot be made",
                  "rows were written by hand behind a split, whose halves do not reach a checkpoint together",
                  "end each half with write_to");
    }
    if (b.overtaken() && witness_ && witness_->tells()) return;  // they go with the frontier, when their records are done
    sinks_.check(b);
    sinks_.take_all([&b](std::shared_ptr<sink_write> w) { b.state().add(std::move(w)); });
  } catch (...) {
    refused_ = std::current_exception();
    verdict_ = verdict_on(refused_, true);
  }
}

// What came before an earlier barrier came before this one too.
void progress::passed(cut_here& b) noexcept {
  std::ranges::move(std::exchange(migrated_, {}), std::back_inserter(changes_));
  for (cut_here& before : barriers_) {
    if (!std::exchange(before.counted, true)) {
      changes_memory_ += before.state().changes_memory();
      std::ranges::move(before.state().take(), std::back_inserter(changes_));
      for (auto& w : before.state().take_writes()) writes_.add(std::move(w));
      passed_ = before.number();
      schemas_.take(before.state().take_schemas(), changes_);
      std::ranges::move(before.state().take_staying(), std::back_inserter(staying_));
    }
    if (&before == &b) break;
  }
  takes_over_ = false;
  advance(b.at);
  portion_.done(b.handed);
  wanted_ = true;
  if (!restored_) return;
  try {
    restored_->check_all_taken();
  } catch (...) {
    refused_ = std::current_exception();
  }
  restored_.reset();
}

void progress::add_change(state_change c) {
  changes_memory_ += memory_of(c);
  changes_.push_back(std::move(c));
}

std::size_t progress::waiting_memory() const noexcept {
  std::size_t all = changes_memory_ + writes_.memory() + sinks_.memory() + outbox_.memory();
  if (offered_) all += offered_->memory;
  for (cut_here const& b : barriers_)
    if (!b.counted) all += b.held();
  return all;
}

bool progress::cut_helps() const noexcept { return since_cut_ != 0 && (barriers_.empty() || barriers_.back().completed()); }

void progress::tell(bool committed) {
  if (!report_.on()) return;
  partition_figures f;
  f.frontier_gap = portion_.uncommitted();
  if (unread_) f.unread = unread_();
  if (frontier_) f.frontier = frontier_->text();
  if (committed_) {
    f.committed = committed_->text();
    f.committed_at = committed_at_;
  }
  f.state = memory_.operators();
  f.waiting_bytes = waiting_memory();
  report_.tell(std::move(f), committed);
}

// What operators that run ahead have between here and the consumer they keep low themselves; nobody waits for it, as it may take more
// input to come through.
task<bool> progress::make_room() {
  co_await commit();
  context& own = co_await current_context();
  while (over_budget() && outbox_.memory() != 0) {
    if (!std::exchange(said_full_, true)) {
      own.log().info("memory: the budget is used up (pipeline " + key_.pipeline + ", partition " + key_.partition +
                     "): " + std::to_string(outbox_.memory()) +
                     " bytes of messages wait to be delivered; reading waits for that, now and each time");
    }
    intake until_stop(*this, own);
    bool stopped = false;
    try {
      task<> some = outbox_.some_delivered();
      co_await std::move(some).under(until_stop.branch());
    } catch (error const& e) {
      stopped = stopping_ && !own.cancelled() && e.code() == condition::cancelled;
      if (!stopped) throw;
    }
    if (stopped) co_return false;
  }
  if (stopping_) co_return false;
  memory_.check_state(key_);
  co_return true;
}

restored_state* progress::restoring() noexcept { return restored_ ? &*restored_ : nullptr; }

void progress::stop() noexcept {
  stopping_ = true;
  if (intake_) intake_->cancel();
}

// It is erased with the next commit, or with one of its own while the stream is quiet.
void progress::delivered() noexcept {
  if (main_ && !pending() && outbox_.has_delivered()) main_->clock().start(*this, policy_.every);
}

void progress::clock_stop() noexcept {
  if (main_) main_->clock().stop(*this);
}

// The commit interval is over. While records flow the stream sees to it; while it is quiet, somebody must.
void progress::fire() noexcept {
  cut_due_ = true;
  if (!intake_) return;
  bool const further = frontier_ && (!committed_ || *committed_ < *frontier_);
  if (further || outbox_.has_delivered()) main_->nursery().start(commit_while_quiet(*this), *main_);
}

root progress::commit_while_quiet(progress& p) {
  try {
    co_await p.commit();
  } catch (std::exception const& e) {
    p.wanted_ = true;  // the next commit of the stream says it again, where it stops the pipeline
    p.main_->log().warning(e.what());
  }
}

}  // namespace weir::detail
