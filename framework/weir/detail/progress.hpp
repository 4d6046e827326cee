#pragma once
#include <weir/barrier.hpp>
#include <weir/commit_policy.hpp>
#include <weir/context.hpp>
#include <weir/detail/async_lock.hpp>
#include <weir/operator_state.hpp>
#include <weir/position.hpp>
#include <weir/state_store.hpp>
#include <weir/task.hpp>

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::detail {

// How far one partition's pipeline has come, and what of it the store has.
class progress final : private timer {
public:
  // Who knows, while a stream is under way, how much of it is done.
  class witness {
  public:
    virtual std::optional<position> settled(bool including) const noexcept = 0;

  protected:
    ~witness() = default;
  };

  progress(state_store& store, checkpoint_key key, commit_policy policy);
  ~progress();

  task<> load();
  task<> commit();

  std::optional<position> const& frontier() const noexcept { return frontier_; }
  std::optional<position> const& committed() const noexcept { return committed_; }
  checkpoint_key const& key() const noexcept { return key_; }
  std::uint64_t records() const noexcept { return records_; }

  // An attempt begins: no stream is open, unfinished barriers of the last one will not come back. It starts from what the store has, as
  // after a crash; what the last attempt finished is committed first.
  task<> begin(context& main);
  // ... and ends. What the stream settled without the element in hand counts; with it, when the handler succeeded.
  void end(bool succeeded) noexcept;

  void opened(witness* w) noexcept { witness_ = w; }
  void closed() noexcept;
  void settle(bool including) noexcept;
  void advance(position const& p) noexcept;

  // A checkpoint to send after the records counted here, when one is due.
  bool due(std::uint64_t more) noexcept;
  weir::barrier& cut(position const& at);
  bool commit_wanted() const noexcept { return wanted_; }
  // The state the stream resumes with, once per attempt; null: none.
  restored_state* restoring() noexcept;

  // Ends the intake of records: the handler finishes what it was given.
  void stop() noexcept;
  bool stopping() const noexcept { return stopping_; }

  // While it lives, all that was handed out is done, and the transport waits for more in a branch of its own, which `stop` ends.
  class intake {
  public:
    intake(progress& p, context& puller) noexcept : progress_(p), branch_(puller) {
      p.intake_ = &branch_;
      if (p.stopping_) branch_.cancel();
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
  void passed(cut_here& b) noexcept;
  void fire() noexcept override;
  void clock_stop() noexcept;
  static root commit_while_quiet(progress& p);

  state_store& store_;
  checkpoint_key key_;
  std::string const writer_;
  commit_policy policy_;
  context* main_ = nullptr;
  context* intake_ = nullptr;
  witness* witness_ = nullptr;
  std::optional<position> frontier_, committed_;
  std::optional<position> settled_, settled_including_;  // by a stream that is closed
  std::vector<state_change> changes_;                    // between what the store has and the frontier
  std::vector<std::shared_ptr<store_write>> writes_;     // of sinks, likewise
  std::uint64_t version_ = 0;                            // of what the store has
  std::optional<restored_state> restored_;               // until the first barrier has come through
  std::exception_ptr refused_;                           // nothing may be committed
  bool loaded_ = false;                                  // and no attempt has begun since
  std::list<cut_here> barriers_;
  std::uint64_t records_ = 0, since_cut_ = 0;
  bool cut_due_ = false, wanted_ = false, stopping_ = false;
  async_lock writing_;
};

}  // namespace weir::detail
