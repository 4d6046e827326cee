#pragma once
#include <weir/barrier.hpp>
#include <weir/checkpoint_history.hpp>
#include <weir/commit_policy.hpp>
#include <weir/committed_entries.hpp>
#include <weir/context.hpp>
#include <weir/detail/async_lock.hpp>
#include <weir/detail/fences.hpp>
#include <weir/detail/kept_schemas.hpp>
#include <weir/detail/memory_budget.hpp>
#include <weir/detail/outbox.hpp>
#include <weir/detail/partition_report.hpp>
#include <weir/detail/partition_sinks.hpp>
#include <weir/detail/portion.hpp>
#include <weir/detail/sink_writes.hpp>
#include <weir/detail/succession.hpp>
#include <weir/migration.hpp>
#include <weir/operator_state.hpp>
#include <weir/position.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

// How far one partition's pipeline has come, and what of it the store has.
class progress final : private timer, private outbox::listener {
public:
  // Who knows, while a stream is under way, how much of it is done.
  class witness {
  public:
    virtual std::optional<position> settled(bool including) const noexcept = 0;
    // Whether it will know that of what is out now.
    virtual bool tells() const noexcept = 0;

  protected:
    ~witness() = default;
  };

  // What the last commit of an attempt came to.
  enum class store_verdict : std::uint8_t {
    fine,
    failed,    // it may succeed another time; no record is to blame
    rejected,  // the store does not take what the sinks wrote with it
  };

  // `memory`: bytes; null: as much as it takes. `report` outlives it.
  progress(partition_report& report, state_store& store, checkpoint_key key, commit_policy policy, std::optional<std::uint64_t> memory,
           std::vector<std::shared_ptr<pipeline_sink>> sinks, std::vector<migration> const& migrations);
  ~progress();

  task<> load();
  task<> commit();

  std::optional<position> const& frontier() const noexcept { return frontier_; }
  std::optional<position> const& committed() const noexcept { return committed_; }
  checkpoint_key const& key() const noexcept { return key_; }
  std::uint64_t records() const noexcept { return records_; }
  // Of those that are out.
  std::uint64_t unfinished() const noexcept { return portion_.in_doubt(); }
  partition_sinks& sinks() noexcept { return sinks_; }
  outbox& messages() noexcept { return outbox_; }
  // By what the stream under way tells, without the record in hand; null: nothing of the chunk that is out, or nobody knows.
  std::optional<position> settled_now() const noexcept { return witness_ ? witness_->settled(false) : std::nullopt; }

  store_verdict verdict() const noexcept { return verdict_; }
  // How many records were given up, of all that the frontier has passed.
  std::uint64_t dead() const noexcept { return dead_; }

  // An attempt begins: no stream is open, unfinished barriers of the last one will not come back. It starts from what the store has, as
  // after a crash; what the last attempt finished is committed first, unless it was rejected.
  task<> begin(context& main);
  // ... and ends. What the stream settled without the element in hand counts; with it, when the handler succeeded.
  void end(bool succeeded);

  void opened(witness* w) noexcept { witness_ = w; }
  void closed() noexcept;
  // All of it has been handed out, up to `last`, and the last barrier sent; `data_ended`: there is no more, nothing was stopped.
  void over(bool data_ended, std::optional<position> const& last) noexcept {
    over_ = true;
    data_ended_ = data_ended && !goes_on_;
    last_ = last;
  }
  // The partition's end is final, and stands there; what comes after it is in other partitions.
  void ends_at(std::optional<position> const& end) noexcept { ends_at_ = end; }
  // The end of the stream is not that of the partition's data, of which more comes another time.
  void goes_on() noexcept { goes_on_ = true; }
  // What is open at the end of the stream stays open.
  bool leaves_open() const noexcept { return goes_on_; }
  bool ends_elsewhere() const noexcept { return ends_at_.has_value(); }
  // It is known to be over, from a run before.
  bool at_its_end() const noexcept { return ends_at_ && committed_ && *committed_ >= *ends_at_; }
  // Before `load`: who knows which partitions it goes on from.
  void follows(std::shared_ptr<succession const> order) noexcept { order_ = std::move(order); }
  // Before `load`: it is ours since a commit of this version. Who finds another one in its place does not begin.
  void fenced_at(std::uint64_t version) noexcept { fence_ = version; }
  // What the stream is opened behind: before all records where state was taken over that no checkpoint of its own has.
  std::optional<position> resumes_behind() const noexcept { return takes_over_ ? position() : frontier_; }
  bool takes_over() const noexcept { return takes_over_; }
  // The data of the last attempt ended, and all of it is done.
  bool data_done() const noexcept { return over_ && data_ended_ && (!last_ || (frontier_ && *frontier_ >= *last_)); }
  // Commits such an end, when there is nothing left to do for the partition.
  task<> finish();

  // Somebody else has the partition: nothing is committed any more.
  void forfeit() noexcept { lost_ = true; }
  void settle(bool including) noexcept;
  portion& handing_out() noexcept { return portion_; }
  // The next record, which is here, is given up; `letter` is written with the commit that passes it, if it is any. From the next attempt
  // on.
  void bury(position const& at, std::shared_ptr<store_write> letter);

  // Whether a checkpoint is to be sent, after so many more records, or marks, by which windows may have closed.
  bool due(std::uint64_t more, bool marked);
  weir::barrier& cut(position const& at);
  // The same, at the end of a portion.
  weir::barrier& close(position const& at);
  // A checkpoint is due as soon as one can be sent.
  void ask_for_cut() noexcept { cut_due_ = true; }
  bool commit_wanted() const noexcept { return wanted_; }
  // The state the stream resumes with, once per attempt; null: none.
  restored_state* restoring() noexcept;

  // All that is held is more than the budget: who has handed out a chunk makes room before the next. A barrier first, if one helps; when
  // its consumer has asked for more, the commit and the deliveries. False: it is to stop. Throws errc::over_budget when the state of
  // operators alone is too much.
  bool over_budget() noexcept { return memory_.limited() && memory_.exceeded_with(waiting_memory()); }
  bool cut_helps() const noexcept;
  bool state_too_large() const noexcept { return memory_.state_too_large(); }
  task<bool> make_room();
  memory_account& memory() noexcept { return memory_.account(); }

  partition_report& report() noexcept { return report_; }
  // How many records wait at the source, where that is known.
  void unread_by(std::function<std::optional<std::uint64_t>()> f) { unread_ = std::move(f); }
  // Tells how it is; after a commit: `committed`.
  void tell(bool committed);

  // Ends the intake of records: the handler finishes what it was given.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_; }

  // While it lives, all that was handed out is done, and the transport waits for more in a branch of its own, which `stop` ends.
  class intake {
  public:
    intake(progress& p, context& puller) noexcept : progress_(p), branch_(puller) {
      p.intake_ = &branch_;
      if (p.stopping_) branch_.cancel();
      p.delivered();  // while the handler had something to do, perhaps
    }
    intake(intake const&) = delete;
    intake& operator=(intake const&) = delete;
    ~intake() { progress_.intake_ = nullptr; }
    context& branch() noexcept { return branch_; }

  private:
    progress& progress_;
    context branch_;
  };

private:
  class cut_here;
  // A commit that has been tried and may have arrived: until that is known, it is the next one.
  struct offer {
    offer(checkpoint_update u, sink_writes w, outbox::step m, std::uint64_t n, std::uint64_t b) noexcept
        : update(std::move(u)), writes(std::move(w)), messages(std::move(m)), records(n), barriers(b) {}
    checkpoint_update update;
    sink_writes writes;
    outbox::step messages;
    std::uint64_t records;  // of the attempt's portion
    std::uint64_t barriers;
    std::size_t memory = 0;  // bytes
  };
  [[noreturn]] void refuse();
  task<> write_offered();
  void done_up_to(position const& p) noexcept;
  void advance(position const& p) noexcept;
  void take_settled_rows() noexcept;
  void add_change(state_change c);
  // What is in memory until it is committed or delivered, in bytes.
  std::size_t waiting_memory() const noexcept;
  void arrived(cut_here& b) noexcept;
  struct burial {
    burial(position p, std::shared_ptr<store_write> w) noexcept : at(p), letter(std::move(w)) {}
    position at;
    std::shared_ptr<store_write> letter;
  };
  weir::barrier& cut(position const& at, bool closing);
  void passed(cut_here& b) noexcept;
  void pass_buried();
  void check_fence() const;
  void take_dead(std::vector<state_entry>& entries);
  void migrate(std::vector<state_entry>& entries, logger& log);
  void finish_data();
  void say_staying(logger& log);
  task<> look_back();
  void fire() noexcept override;
  void delivered() noexcept override;
  void undeliverable() noexcept override { stop(); }
  void clock_stop() noexcept;
  static root commit_while_quiet(progress& p);

  partition_report& report_;
  std::function<std::optional<std::uint64_t>()> unread_;
  state_store& store_;
  checkpoint_key key_;
  std::string const writer_;
  commit_policy policy_;
  context* main_ = nullptr;
  context* intake_ = nullptr;
  witness* witness_ = nullptr;
  std::optional<position> frontier_, committed_;
  instant committed_at_ = 0;  // by the clock of who wrote it
  checkpoint_history history_;
  std::optional<position> settled_, settled_including_;  // by a stream that is closed
  std::optional<position> ends_at_, last_;
  std::shared_ptr<succession const> order_;
  bool takes_over_ = false;           // until the first barrier has come through
  bool looks_back_ = false;           // until the first commit behind that
  std::vector<std::string> staying_;  // operators whose state cannot be handed over
  bool said_staying_ = false;
  std::vector<state_change> changes_;  // between what the store has and the frontier
  std::size_t changes_memory_ = 0;     // bytes
  sink_writes writes_;                 // of sinks, likewise
  std::optional<offer> offered_;
  outbox outbox_;
  partition_sinks sinks_;
  std::uint64_t version_ = 0;  // of what the store has
  fences fences_;              // likewise
  std::optional<std::uint64_t> fence_;
  committed_entries stored_;
  std::uint64_t sent_ = 0, passed_ = 0;     // barriers: how many; which was the last whose changes are the frontier's
  std::optional<restored_state> restored_;  // until the first barrier has come through
  std::vector<migration> const& migrations_;
  std::vector<state_change> migrated_;  // what they changed, until then
  kept_schemas schemas_;
  std::exception_ptr refused_;  // nothing may be committed
  store_verdict verdict_ = store_verdict::fine;
  memory_budget memory_;
  bool said_full_ = false;  // that pulling waits for memory
  portion portion_;
  std::optional<burial> buried_;
  std::uint64_t dead_ = 0;
  bool loaded_ = false;  // and no attempt has begun since
  std::list<cut_here> barriers_;
  std::uint64_t records_ = 0, since_cut_ = 0;
  bool marked_ = false;  // since the last barrier, behind some record
  bool cut_due_ = false, wanted_ = false, stopping_ = false, over_ = false, data_ended_ = false;
  bool lost_ = false, goes_on_ = false;
  bool end_written_ = false;  // what the sinks had at the end of the data, which is still its end
  async_lock writing_;
};

}  // namespace weir::detail
