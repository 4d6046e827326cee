#include <weir/detail/progress.hpp>

#include <algorithm>
#include <utility>

namespace weir::detail {

// A barrier that knows its position.
class progress::cut_here final : public weir::barrier {
public:
  cut_here(progress& p, position at) noexcept : at(at), progress_(&p) {}
  position const at;

private:
  void on_complete() noexcept override { progress_->passed(*this); }
  progress* progress_;
};

progress::progress(checkpoint_store& store, checkpoint_key key, commit_policy policy)
    : store_(store), key_(std::move(key)), policy_(policy) {}
progress::~progress() = default;

task<> progress::load() {
  std::optional<saved_checkpoint> const saved = co_await store_.load(key_);
  if (!saved) co_return;
  frontier_ = committed_ = saved->position;
  state_ = saved->state;
}

task<> progress::commit() {
  async_lock::holder const alone = co_await writing_.acquire();
  wanted_ = false;
  if (!frontier_ || (committed_ && *committed_ >= *frontier_)) co_return;
  position const reached = *frontier_;
  context& own = co_await current_context();
  saved_checkpoint next(reached, own.clock().now(), state_);
  co_await store_.save(key_, std::move(next));
  committed_ = reached;
}

void progress::begin(context& main) {
  main_ = &main;
  barriers_.clear();
  settled_.reset();
  settled_including_.reset();
  since_cut_ = 0;
  cut_due_ = wanted_ = false;
  restored_.reset();
  if (!state_.empty()) restored_.emplace(snapshot::decode(state_));
}

void progress::end(bool succeeded) noexcept {
  closed();
  clock_stop();
  if (succeeded && settled_including_) advance(*settled_including_);
  else if (settled_) advance(*settled_);
}

void progress::closed() noexcept {
  if (!witness_) return;
  settled_ = witness_->settled(false);
  settled_including_ = witness_->settled(true);
  witness_ = nullptr;
}

void progress::settle(bool including) noexcept {
  if (!witness_) return;
  if (std::optional<position> const p = witness_->settled(including)) advance(*p);
}

void progress::advance(position const& p) noexcept {
  if (!frontier_ || p > *frontier_) frontier_ = p;
}

bool progress::due(std::uint64_t more) noexcept {
  records_ += more;
  since_cut_ += more;
  if (!pending() && main_) main_->clock().start(*this, policy_.every);
  return since_cut_ >= policy_.records || (cut_due_ && since_cut_ != 0);
}

weir::barrier& progress::cut(position const& at) {
  barriers_.remove_if([](cut_here const& b) { return b.completed(); });
  since_cut_ = 0;
  cut_due_ = false;
  return barriers_.emplace_back(*this, at);
}

void progress::passed(cut_here& b) noexcept {
  if (frontier_ && b.at < *frontier_) return;
  frontier_ = b.at;
  state_ = b.state().encode();
  wanted_ = true;
}

snapshot* progress::restoring() noexcept { return restored_ ? &*restored_ : nullptr; }

void progress::stop() noexcept {
  stopping_ = true;
  if (intake_) intake_->cancel();
}

void progress::clock_stop() noexcept {
  if (main_) main_->clock().stop(*this);
}

// The commit interval is over. While records flow the stream sees to it; while it is quiet, somebody must.
void progress::fire() noexcept {
  cut_due_ = true;
  if (!intake_) return;
  if (frontier_ && (!committed_ || *committed_ < *frontier_)) main_->nursery().start(commit_while_quiet(*this), *main_);
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
