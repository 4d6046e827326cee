#include <weir/detail/progress.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <random>
#include <utility>

namespace weir::detail {
namespace {

// Of no other run of a pipeline, anywhere.
std::string unique_name() {
  std::random_device any;
  std::array<char, 33> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x%08x%08x%08x", any(), any(), any(), any());
  return digits.data();
}

}  // namespace

// A barrier that knows its position.
class progress::cut_here final : public weir::barrier {
public:
  cut_here(progress& p, position at) noexcept : at(at), progress_(&p) {}
  position const at;
  bool counted = false;  // its changes are among the frontier's

  void at_end(std::shared_ptr<store_write> w) override {
    if (counted) progress_->writes_.push_back(std::move(w));
    else barrier::at_end(std::move(w));
  }

private:
  void on_complete() noexcept override { progress_->passed(*this); }
  progress* progress_;
};

progress::progress(state_store& store, checkpoint_key key, commit_policy policy)
    : store_(store), key_(std::move(key)), writer_(unique_name()), policy_(policy) {}
progress::~progress() = default;

task<> progress::load() {
  std::optional<saved_checkpoint> saved = co_await store_.load(key_);
  changes_.clear();
  writes_.clear();
  restored_.reset();
  refused_ = nullptr;
  loaded_ = true;
  version_ = saved ? saved->head.version : 0;
  if (!saved) co_return;
  frontier_ = committed_ = saved->head.position;
  if (!saved->entries.empty()) restored_.emplace(std::move(saved->entries));
}

task<> progress::commit() {
  async_lock::holder const alone = co_await writing_.acquire();
  wanted_ = false;
  if (refused_) std::rethrow_exception(refused_);
  if (!frontier_ || (committed_ && *committed_ >= *frontier_ && changes_.empty() && writes_.empty())) co_return;
  position const reached = *frontier_;
  context& own = co_await current_context();
  auto const count = static_cast<std::ptrdiff_t>(changes_.size()), write_count = static_cast<std::ptrdiff_t>(writes_.size());
  checkpoint_update next(checkpoint_head(reached, own.clock().now(), version_ + 1, writer_), changes_, writes_);
  co_await store_.commit(key_, std::move(next));
  changes_.erase(changes_.begin(), changes_.begin() + count);  // more may have come meanwhile
  writes_.erase(writes_.begin(), writes_.begin() + write_count);
  committed_ = reached;
  ++version_;
}

task<> progress::begin(context& main) {
  if (!std::exchange(loaded_, false)) {
    co_await commit();
    co_await load();
    loaded_ = false;
  }
  main_ = &main;
  barriers_.clear();
  settled_.reset();
  settled_including_.reset();
  since_cut_ = 0;
  cut_due_ = wanted_ = false;
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
  while (!barriers_.empty() && barriers_.front().counted) barriers_.pop_front();
  since_cut_ = 0;
  cut_due_ = false;
  return barriers_.emplace_back(*this, at);
}

// What came before an earlier barrier came before this one too.
void progress::passed(cut_here& b) noexcept {
  for (cut_here& before : barriers_) {
    if (!std::exchange(before.counted, true)) {
      std::ranges::move(before.state().take(), std::back_inserter(changes_));
      std::ranges::move(before.state().take_writes(), std::back_inserter(writes_));
    }
    if (&before == &b) break;
  }
  advance(b.at);
  wanted_ = true;
  if (!restored_) return;
  try {
    restored_->check_all_taken();
  } catch (...) {
    refused_ = std::current_exception();
  }
  restored_.reset();
}

restored_state* progress::restoring() noexcept { return restored_ ? &*restored_ : nullptr; }

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
